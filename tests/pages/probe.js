// Looks at the page that it stands in, and tells the window around it: a line a case, "ok NAME: WHAT" or
// "FAIL NAME: WHAT: WHY", and a line on what the page holds. What was complained of while the page was loaded
// stands in window.complaints: see run.
window.addEventListener('load', function () {
  'use strict';
  const lines = [];
  function check(what, good, why) { lines.push((good ? 'ok ' : 'FAIL ') + window.name + ': ' + what + (good ? '' : ': ' + why)); }
  const all = function (selector) { return Array.from(document.querySelectorAll(selector)); };

  function is_blank(canvas) {
    const pixels = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data;
    for (let i = 3; i < pixels.length; i += 4) if (pixels[i]) return false;
    return true;
  }
  // What a column is sorted by: numbers before words, nothing last.
  function keys(table, column) {
    return Array.from(table.tBodies[0].rows).map(function (row) {
      const number = row.cells[column].getAttribute('data-number');
      return number === null ? row.cells[column].textContent.trim() : Number(number);
    });
  }
  function in_order(values, sign) {
    for (let i = 1; i < values.length; i++) {
      const a = values[i - 1], b = values[i];
      if (b === '') continue;
      if (a === '') return false;
      if (typeof a !== typeof b) continue;
      if (sign * (typeof a === 'number' ? a - b : a.localeCompare(b)) > 0) return false;
    }
    return true;
  }
  function check_sorting(table) {
    const heads = Array.from(table.tHead.rows[0].cells), order = function () {
      return Array.from(table.tBodies[0].rows).map(function (row) { return row.textContent; }).join('\n');
    };
    const before = order();
    if (table.tBodies[0].rows.length < 2) {
      check('a table of one row is not sortable', !table.querySelector('.sortable'), table.id);
      return;
    }
    heads.forEach(function (head, column) {
      const what = table.id + ', column ' + head.textContent;
      head.click();
      check('ascending, ' + what, head.getAttribute('aria-sort') === 'ascending' && in_order(keys(table, column), 1),
        keys(table, column).join(' | '));
      head.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }));
      check('descending by key, ' + what,
        head.getAttribute('aria-sort') === 'descending' && in_order(keys(table, column), -1),
        keys(table, column).join(' | '));
      head.click();
      check('as it was, ' + what, !head.hasAttribute('aria-sort') && order() === before, 'another order');
    });
  }

  function look() {
    const plots = all('.plot'), canvases = all('.plot canvas');
    check('no complaints', window.complaints.length === 0, window.complaints.join(' / '));
    check('every plot is drawn', plots.every(function (plot) { return plot.querySelector('canvas'); }) &&
      canvases.length === plots.length, canvases.length + ' of ' + plots.length);
    canvases.forEach(function (canvas, i) { check('plot ' + i + ' is not blank', !is_blank(canvas), 'it is'); });
    plots.forEach(function (plot, i) {
      check('plot ' + i + ' fits', plot.scrollWidth <= plot.clientWidth + 1, plot.scrollWidth + ' of ' + plot.clientWidth);
    });
    check('pictures are there', all('img').every(function (img) { return img.complete && img.naturalWidth > 0; }),
      'one is broken');
    check('pictures are inside', all('img').every(function (img) { return img.src.indexOf('data:image/png') === 0; }),
      'one is not');
    check('nothing is loaded', performance.getEntriesByType('resource').every(function (entry) {
      return entry.name.indexOf('data:') === 0;
    }), 'something is');
    const page = document.documentElement;
    check('no wider than the window', page.scrollWidth <= page.clientWidth, page.scrollWidth + ' of ' + page.clientWidth);
    all('table.figures').forEach(check_sorting);
    check('no complaints after that', window.complaints.length === 0, window.complaints.join(' / '));
    const counts = all('table.figures').length + ' tables, ' + plots.length + ' plots, ' + all('img').length + ' pictures';
    lines.push('counts ' + window.name + ': ' + counts);
  }
  function report() {
    try {
      look();
    } catch (problem) {
      check('looked at to the end', false, String(problem));
    }
    parent.postMessage(lines.join('\n'), '*');
  }
  requestAnimationFrame(function () { setTimeout(report, 0); });
});
