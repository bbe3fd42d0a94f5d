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

  // The names in a plot: one for each point, inside it, and none over another.
  function check_names(plot) {
    const data = JSON.parse(document.getElementById('plots').textContent)[Number(plot.id.slice(4))];
    const names = Array.from(plot.querySelectorAll('.name'));
    if (!data.names) return;
    const points = data.lines.filter(function (line) { return !line.front; }).length;
    check('every point of ' + plot.id + ' has its name', names.length === points, names.length + ' of ' + points);
    const area = plot.querySelector('.u-over').getBoundingClientRect();
    const boxes = names.map(function (name) { return name.getBoundingClientRect(); });
    boxes.forEach(function (a, i) {
      check(names[i].textContent + ' is inside ' + plot.id, a.left >= area.left - 1 && a.right <= area.right + 1 &&
        a.top >= area.top - 1 && a.bottom <= area.bottom + 1, 'it is not');
      const over = boxes.findIndex(function (b, j) {
        return j > i && a.left < b.right - .5 && b.left < a.right - .5 && a.top < b.bottom - .5 && b.top < a.bottom - .5;
      });
      check('nothing covers ' + names[i].textContent + ' in ' + plot.id, over < 0, over >= 0 && names[over].textContent);
    });
  }

  // A moving picture stops, as a picture of the same size, and goes on.
  function check_stopping(moving) {
    const figure = moving.parentElement, still = figure.querySelector('canvas'), button = figure.querySelector('button');
    const reduced = matchMedia('(prefers-reduced-motion: reduce)').matches;
    check('it moves unless the reader wants no motion', moving.hidden === reduced && still.hidden !== reduced, figure.innerHTML);
    if (reduced) button.click();
    const wide = moving.getBoundingClientRect().width;
    button.click();
    check('it stops', wide > 100 && moving.hidden && !still.hidden && still.width === moving.naturalWidth && button.textContent === 'Play', figure.innerHTML);
    check('it stays as wide', Math.abs(still.getBoundingClientRect().width - wide) < 1, String(wide));
    button.click();
    check('it goes on', !moving.hidden && still.hidden && button.textContent === 'Stop', figure.innerHTML);
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
    const loaded = performance.getEntriesByType('resource').map(function (entry) { return entry.name; }).filter(
      function (name) { return !/^(data|file):/.test(name); });
    check('nothing comes from a network', loaded.length === 0, loaded.join(' '));
    const led = all('[href], [src]').map(function (element) { return element.getAttribute('href') || element.getAttribute('src'); });
    const away = led.filter(function (to) { return /^([a-z]+:)?\/\//i.test(to); });
    check('nothing leads to another machine', away.length === 0, away.join(' '));
    led.forEach(function (to) { if (!/^(data:|#)/.test(to) && to !== 'axe.min.js') lines.push('link ' + window.name + ' ' + to); });
    all('.plot').forEach(check_names);
    const page = document.documentElement;
    check('no wider than the window', page.scrollWidth <= page.clientWidth, page.scrollWidth + ' of ' + page.clientWidth);
    all('table.figures th, table.figures td').forEach(function (cell) {
      if (cell.scrollWidth > cell.clientWidth + 1)
        check('a cell of a table has room for its words', false, cell.textContent + ': ' + cell.scrollWidth + ' of ' + cell.clientWidth);
    });
    all('table.figures').forEach(check_sorting);
    all('.trails img[src$=".gif"]').forEach(check_stopping);
    check('no complaints after that', window.complaints.length === 0, window.complaints.join(' / '));
    const counts = all('table.figures').length + ' tables, ' + plots.length + ' plots, ' + all('img').length + ' pictures';
    const scheme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
    lines.push('counts ' + window.name + ': ' + counts + ', ' + scheme);
  }
  // What axe-core has to say: each rule that is broken, and where first.
  async function check_access() {
    const found = await axe.run(document);
    check('axe has looked', found.passes.length > 10, found.passes.length + ' rules');
    check('axe has nothing to say', found.violations.length === 0, found.violations.map(function (broken) {
      return broken.id + ' (' + broken.nodes.length + ') ' + broken.nodes[0].html.slice(0, 200) + ' ' + broken.nodes[0].failureSummary;
    }).join(' / ').replace(/\s+/g, ' '));
  }
  async function report() {
    try {
      look();
      if (window.axe) await check_access();
      check('no complaints at the end', window.complaints.length === 0, window.complaints.join(' / '));
    } catch (problem) {
      check('looked at to the end', false, String(problem));
    }
    parent.postMessage(lines.join('\n'), '*');
  }
  requestAnimationFrame(function () { setTimeout(report, 0); });
});
