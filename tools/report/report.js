// What a report's page does: draws its plots with uPlot, and sorts its tables. See tools/report/html.c.
(function () {
  'use strict';
  const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#c08a00', '#3a9bd6', '#8a8a8a', '#7b5ea7', '#a23b3b',
    '#4f7a28', '#b5651d', '#12808a'];

  function variable(name) {
    return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  }
  function ink() { return variable('--ink'); }
  function line() { return variable('--line'); }

  // Numbers for people ---------------------------------------------------------------------------------------

  const units = {
    ns: [1000, ['ns', 'us', 'ms', 's']],
    bytes: [1024, ['B', 'KB', 'MB', 'GB', 'TB']],
  };
  function digits(value) {
    if (value === 0) return '0';
    const size = Math.abs(value);
    if (size >= 1e4 && size < 1e9) return digits(value / 1000) + 'k';
    if (size < 1e-4 || size >= 1e9) return value.toExponential(0).replace('e+', 'e');
    return String(+value.toPrecision(size < 1000 ? 3 : 4));
  }
  function shown(value, unit) {
    if (value == null) return '';
    const known = units[unit];
    if (!known || value === 0) return digits(value) + (unit === '%' ? '%' : unit === 's' ? ' s' : '');
    let size = value, step = 0;
    while (Math.abs(size) >= known[0] && step + 1 < known[1].length) { size /= known[0]; step++; }
    return digits(size) + ' ' + known[1][step];
  }

  // Plots ----------------------------------------------------------------------------------------------------

  // On an axis of logarithms what is zero stands at a place of its own, where the axis says 0.
  function lifted(values, zero) {
    return zero ? values.map(function (v) { return v != null && v <= 0 ? zero : v; }) : values;
  }
  function lowered(value, zero) {
    return zero && value != null && value <= zero * 1.0001 ? 0 : value;
  }
  // Round values on an axis of logarithms: powers of ten (of two for bytes), with some between where there are few.
  function rounds(low, high, unit, most) {
    const base = unit === 'bytes' ? 2 : 10, many = Math.log(high / low) / Math.log(base), found = [];
    const between = base === 2 || many > 3 ? [1] : many > 1.5 ? [1, 3] : [1, 2, 5];
    const step = Math.max(1, Math.ceil(many / most));
    for (let power = Math.floor(Math.log(low) / Math.log(base)); Math.pow(base, power) <= high; power++)
      if (power % step === 0)
        between.forEach(function (factor) {
          const value = factor * Math.pow(base, power);
          if (value >= low * .9999 && value <= high * 1.0001) found.push(value);
        });
    return found;
  }
  function axis(label, size, unit, log, zero, most) {
    const logs = {
      splits: function (u, index, low, high) {
        const found = rounds(zero ? zero * 3 : low, high, unit, most);
        return zero ? [zero].concat(found) : found;
      },
      filter: function (u, splits) { return splits; },
    };
    return Object.assign(log ? logs : {}, {
      label: label, size: size, labelSize: 22, stroke: ink, grid: { stroke: line, width: 1 },
      ticks: { stroke: line, width: 1 }, font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif',
      values: function (u, splits) {
        return splits.map(function (v) {
          return v == null ? null : shown(lowered(v, log && zero), unit);
        });
      },
    });
  }
  function span(log, low, high, more) {
    return log ? [low / more, high * more] : [low - (high - low || 1) * .04, high + (high - low || 1) * .04];
  }

  // Writes the names of single points beside them, where there is room.
  function write_names(u, plot, colour) {
    const ratio = devicePixelRatio || 1, context = u.ctx, taken = [];
    context.save();
    context.font = (11 * ratio) + 'px system-ui, sans-serif';
    context.textBaseline = 'middle';
    context.textAlign = 'left';
    const points = [];
    plot.lines.forEach(function (one, i) {
      if (one.front || !u.series[i + 1].show) return;
      one.y.forEach(function (y, j) {
        if (y == null) return;
        points.push({
          name: one.label, colour: colour(i + 1), x: u.valToPos(u.data[0][j], 'x', true),
          y: u.valToPos(u.data[i + 1][j], 'y', true),
        });
      });
    });
    const near = 7 * ratio, high = 13 * ratio;
    points.forEach(function (p) {
      taken.push([p.x - near / 2, p.y - near / 2, p.x + near / 2, p.y + near / 2]);
    });
    points.forEach(function (p) {
      const wide = context.measureText(p.name).width;
      const places = [[-wide / 2, -high], [near, 0], [-near - wide, 0], [-wide / 2, high], [near, -high], [near, high],
        [-near - wide, -high], [-near - wide, high]];
      const free = places.find(function (place) {
        const box = [p.x + place[0], p.y + place[1] - high / 2, p.x + place[0] + wide, p.y + place[1] + high / 2];
        return box[0] >= u.bbox.left && box[2] <= u.bbox.left + u.bbox.width && box[1] >= u.bbox.top &&
          box[3] <= u.bbox.top + u.bbox.height && !taken.some(function (other) {
            return box[0] < other[2] && box[2] > other[0] && box[1] < other[3] && box[3] > other[1];
          });
      });
      if (!free) return; // the legend has it
      taken.push([p.x + free[0], p.y + free[1] - high / 2, p.x + free[0] + wide, p.y + free[1] + high / 2]);
      context.fillStyle = p.colour;
      context.fillText(p.name, p.x + free[0], p.y + free[1]);
    });
    context.restore();
  }

  function draw(plot, index) {
    const place = document.getElementById('plot' + index);
    if (!plot.x.length) return;
    function size() {
      const width = place.clientWidth;
      if (plot.small) return { width: width, height: 150 };
      return { width: width, height: Math.round(Math.max(plot.names ? 320 : 260, Math.min(440, width * .55))) };
    }
    function colour(i) { return colours[plot.lines[i - 1].colour % colours.length]; }
    const series = [{
      label: plot.x_label, value: function (u, v) { return shown(lowered(v, plot.zero_x), plot.x_unit); },
    }];
    plot.lines.forEach(function (one, i) {
      const look = {
        label: one.label, stroke: colour(i + 1), width: one.dashed ? 1.5 : 2.5, spanGaps: plot.scatter,
        value: function (u, v) { return shown(lowered(v, plot.zero_y), plot.y_unit); },
        dash: one.dashed ? [6, 5] : undefined,
        points: { show: plot.scatter || !one.dashed, size: one.dashed ? 5 : 7, fill: colour(i + 1) },
      };
      if (one.front) {
        look.paths = uPlot.paths.stepped({ align: 1 });
        look.points = { show: false };
        look.stroke = function () { return variable('--faint'); };
      }
      if (plot.bars) {
        look.paths = uPlot.paths.bars({ size: [.9, Infinity] });
        look.points = { show: false };
        look.fill = colour(i + 1);
        look.width = 0;
      }
      series.push(look);
    });
    const x = lifted(plot.x, plot.zero_x).slice();
    const ys = plot.lines.map(function (one) { return lifted(one.y, plot.zero_y).slice(); });
    const all = [].concat.apply([], ys).filter(function (v) { return v != null; });
    const first = plot.low_x || x[0], last = plot.high_x || x[x.length - 1];
    const ends = span(plot.log_x, first, last, plot.names ? 2 : 1.25);
    if (plot.names) { // a front goes on to the right: what lies there is no better
      x.push(ends[1]);
      ys.forEach(function (y, i) {
        y.push(plot.lines[i].front ? y.filter(function (v) { return v != null; }).pop() : null);
      });
    }
    const across = axis(plot.x_label, plot.small ? 34 : 44, plot.x_unit, plot.log_x, plot.zero_x,
      Math.max(2, Math.floor(place.clientWidth / 85)));
    const up = axis(plot.y_label, plot.small ? 44 : 58, plot.y_unit, plot.log_y, plot.zero_y, plot.small ? 4 : 7);
    const scales = { x: { time: false, range: ends }, y: {} };
    if (plot.log_x) scales.x.distr = 3;
    if (plot.log_y) {
      scales.y.distr = 3;
      if (plot.names && all.length)
        scales.y.range = span(true, Math.min.apply(null, all), Math.max.apply(null, all), 2);
    }
    if (plot.bars) {
      across.label = up.label = undefined;
      scales.y.range = [.5, Math.max(10, Math.max.apply(null, all) * 1.5)];
    }
    if (!plot.scatter && !plot.bars) {
      across.splits = function () { return plot.x; };
      across.values = function (u, splits) { return splits.map(String); };
    }
    const options = {
      series: series, axes: [across, up], scales: scales, cursor: { drag: { setScale: false, x: false } },
      legend: {
        show: !plot.small, live: !plot.names,
        markers: {
          dash: function (u, i) { return i && plot.lines[i - 1].dashed ? 'dashed' : 'solid'; },
          fill: function (u, i) { return i && !plot.lines[i - 1].dashed ? colour(i) : 'transparent'; },
        },
      },
      hooks: plot.names ? { draw: [function (u) { write_names(u, plot, colour); }] } : {},
    };
    const chart = new uPlot(Object.assign(options, size()), [x].concat(ys), place);
    addEventListener('resize', function () { chart.setSize(size()); });
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', function () { chart.redraw(false, true); });
  }

  const data = document.getElementById('plots');
  if (data) JSON.parse(data.textContent).forEach(draw);

  // Tables ---------------------------------------------------------------------------------------------------

  // By the number of a cell where it has one, by its words otherwise; what is empty comes last either way.
  function key(row, column) {
    const cell = row.cells[column], number = cell.getAttribute('data-number');
    return number !== null ? Number(number) : cell.textContent.trim();
  }
  function compare(a, b) {
    if (typeof a === 'number' && typeof b === 'number') return a - b;
    if (typeof a === 'number') return -1;
    if (typeof b === 'number') return 1;
    return a.localeCompare(b);
  }
  function sort(table, column) {
    const head = table.tHead.rows[0].cells, body = table.tBodies[0], rows = Array.from(body.rows);
    const was = head[column].getAttribute('aria-sort');
    const now = was === 'ascending' ? 'descending' : was === 'descending' ? null : 'ascending';
    rows.forEach(function (row, i) { if (!row.hasAttribute('data-place')) row.setAttribute('data-place', i); });
    Array.from(head).forEach(function (cell) { cell.removeAttribute('aria-sort'); });
    function place(row) { return Number(row.getAttribute('data-place')); }
    rows.sort(function (a, b) {
      const left = key(a, column), right = key(b, column);
      if (!now) return place(a) - place(b);
      if ((left === '') !== (right === '')) return left === '' ? 1 : -1;
      return (now === 'ascending' ? compare(left, right) : compare(right, left)) || place(a) - place(b);
    });
    if (now) head[column].setAttribute('aria-sort', now);
    table.classList.toggle('sorted', now !== null);
    rows.forEach(function (row) { body.appendChild(row); });
  }
  document.querySelectorAll('table.figures').forEach(function (table) {
    if (table.tBodies[0].rows.length < 2) return;
    Array.from(table.tHead.rows[0].cells).forEach(function (cell, column) {
      cell.classList.add('sortable');
      cell.tabIndex = 0;
      cell.addEventListener('click', function () { sort(table, column); });
      cell.addEventListener('keydown', function (event) {
        if (event.key !== 'Enter' && event.key !== ' ') return;
        event.preventDefault();
        sort(table, column);
      });
    });
  });
})();
