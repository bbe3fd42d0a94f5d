// What a report's page does: draws its plots with uPlot, and sorts its tables. See tools/report/html.c.
(function () {
  'use strict';
  // Readable on paper, and by dark: each pair is one colour to the reader.
  const colours = [['#0b5fa5', '#74b6f5'], ['#b34700', '#ff9d5c'], ['#00704f', '#4cc9a0'], ['#9b3d84', '#e493d3'],
    ['#7a5c00', '#dcb53c'], ['#a12a2a', '#ff8f8a'], ['#596270', '#a9b3c1'], ['#5f46a3', '#b7a4f2'],
    ['#37681a', '#93c96b'], ['#0a6470', '#5cc5d3'], ['#83502a', '#d9a680'], ['#3d4db8', '#9dabff']];
  const dark = matchMedia('(prefers-color-scheme: dark)');
  function colour_of(number) { return colours[number % colours.length][dark.matches ? 1 : 0]; }

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

  // Marks, one for each colour of named points: a disc, a square, a triangle, a diamond.
  function path_of(kind, x, y, r) {
    const path = new Path2D();
    if (kind % 4 === 0) path.arc(x, y, r, 0, 2 * Math.PI);
    else {
      const corners = [null, [[-1, -1], [1, -1], [1, 1], [-1, 1]], [[0, -1.3], [1.2, .9], [-1.2, .9]],
        [[0, -1.4], [1.4, 0], [0, 1.4], [-1.4, 0]]][kind % 4];
      corners.forEach(function (corner, i) { path[i ? 'lineTo' : 'moveTo'](x + .9 * r * corner[0], y + .9 * r * corner[1]); });
      path.closePath();
    }
    return path;
  }
  function mark(context, kind, x, y, r) {
    const path = path_of(kind, x, y, r);
    context.lineWidth = r / 2;
    context.strokeStyle = variable('--paper');
    context.stroke(path);
    context.fillStyle = colour_of(kind);
    context.fill(path);
  }

  function apart(a, b) { return a[0] >= b[2] || b[0] >= a[2] || a[1] >= b[3] || b[1] >= a[3]; }

  // Where names stand so that none covers another or a mark: beside the point where there is room, otherwise further
  // off, with a line to it. Points, names and the boxes of the front in pixels of the page; answers with one place per point.
  const line_height = 15;
  function place_names(points, front, wide, high) {
    const taken = points.map(function (p) { return [p.x - 6, p.y - 6, p.x + 6, p.y + 6]; }).concat(front), lines = [];
    // How near two stretches come to crossing: only whether they do.
    function side(a, b, c) { return Math.sign((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])); }
    function cross(l, m) { return side(l[0], l[1], m[0]) !== side(l[0], l[1], m[1]) && side(m[0], m[1], l[0]) !== side(m[0], m[1], l[1]); }
    // The box is crossed by a line when one of its diagonals is.
    function hits(box, l) {
      return cross([[box[0], box[1]], [box[2], box[3]]], l) || cross([[box[0], box[3]], [box[2], box[1]]], l);
    }
    function candidates(p) {
      const found = [], half = p.width / 2;
      [[0, -13], [10 + half, 0], [-10 - half, 0], [0, 13]].forEach(function (at, i) { found.push([at[0], at[1], i]); });
      for (let ring = 1; ring <= 9; ring++)
        for (let across = -7; across <= 7; across++)
          [-1, 1].forEach(function (way) {
            const y = way * (13 + (ring - 1) * line_height / 1.5), x = across * 16;
            found.push([x, y, 8 + 2 * Math.hypot(x * .8, y)]);
          });
      return found.sort(function (a, b) { return a[2] - b[2]; });
    }
    // The most crowded first.
    const order = points.map(function (p, i) {
      return [i, points.reduce(function (sum, q) { return sum + (q === p ? 0 : 1 / (20 + Math.hypot((p.x - q.x) / 2, p.y - q.y))); }, 0)];
    }).sort(function (a, b) { return b[1] - a[1]; });
    const places = [];
    order.forEach(function (entry) {
      const p = points[entry[0]];
      let best = null, cost = Infinity;
      candidates(p).forEach(function (at) {
        if (at[2] >= cost) return;
        const x = p.x + at[0], y = p.y + at[1];
        const box = [x - p.width / 2 - 2, y - line_height / 2, x + p.width / 2 + 2, y + line_height / 2];
        if (box[0] < 0 || box[2] > wide || box[1] < 0 || box[3] > high) return;
        if (!taken.every(function (other) { return apart(box, other); })) return;
        const far = at[2] >= 8;
        const end = [Math.max(box[0] + 3, Math.min(box[2] - 3, p.x)), y < p.y ? box[3] - 3 : box[1] + 3];
        const lead = [[p.x, p.y], end];
        let sum = at[2];
        lines.forEach(function (l) { if ((far && cross(l, lead)) || hits(box, l)) sum += 400; });
        if (far) taken.forEach(function (other, i) {
          const name = i >= points.length + front.length;
          if (i !== entry[0] && (name || i < points.length) && hits(other, lead)) sum += name ? 600 : 150;
        });
        if (sum < cost) cost = sum, best = { x: box[0] + 2, y: box[1], box: box, lead: far ? lead : null };
      });
      places[entry[0]] = best;
      if (!best) return;
      taken.push(best.box);
      if (best.lead) lines.push(best.lead);
    });
    return places;
  }

  // The staircase as boxes that names keep out of.
  function front_of(u, plot) {
    const boxes = [], at = plot.lines.findIndex(function (one) { return one.front; });
    if (at < 0) return boxes;
    let last = null;
    u.data[at + 1].forEach(function (value, j) {
      if (value == null) return;
      const x = u.valToPos(u.data[0][j], 'x'), y = u.valToPos(value, 'y');
      if (last) boxes.push([last[0], last[1] - 1, x, last[1] + 1], [x - 1, Math.min(y, last[1]), x + 1, Math.max(y, last[1])]);
      last = [x, y];
    });
    return boxes;
  }

  // The points of a plot with names: marks, and names that the page can be searched for.
  function write_names(u, plot) {
    const ratio = devicePixelRatio || 1, context = u.ctx;
    u.over.querySelectorAll('.name').forEach(function (name) { name.remove(); });
    const points = [];
    plot.lines.forEach(function (one, i) {
      if (one.front) return;
      one.y.forEach(function (y, j) {
        if (y == null) return;
        const name = document.createElement('span');
        name.className = 'name';
        name.textContent = one.label;
        u.over.appendChild(name);
        points.push({ name: name, kind: one.colour, x: u.valToPos(u.data[0][j], 'x'), y: u.valToPos(u.data[i + 1][j], 'y'),
          width: name.offsetWidth });
      });
    });
    const places = place_names(points, front_of(u, plot), u.over.clientWidth, u.over.clientHeight);
    context.save();
    context.translate(u.bbox.left, u.bbox.top);
    context.scale(ratio, ratio);
    context.strokeStyle = variable('--faint');
    context.lineWidth = .7;
    context.setLineDash([]);
    places.forEach(function (place) {
      if (!place || !place.lead) return;
      context.beginPath();
      context.moveTo(place.lead[0][0], place.lead[0][1]);
      context.lineTo(place.lead[1][0], place.lead[1][1]);
      context.stroke();
    });
    points.forEach(function (p, i) {
      mark(context, p.kind, p.x, p.y, 4.5);
      if (!places[i]) { p.name.remove(); return; } // the table has it
      p.name.style.left = places[i].x + 'px';
      p.name.style.top = places[i].y + 'px';
      p.name.style.color = colour_of(p.kind);
    });
    context.restore();
  }

  // Which mark is which kind.
  function write_kinds(place, plot) {
    const list = document.createElement('ul'), seen = {};
    list.className = 'kinds';
    function add(words, paint) {
      const item = document.createElement('li'), sample = document.createElement('canvas');
      sample.width = sample.height = 32;
      list.appendChild(item).append(sample, words);
      function again() {
        const context = sample.getContext('2d');
        context.clearRect(0, 0, 32, 32);
        paint(context);
      }
      again();
      dark.addEventListener('change', again);
    }
    plot.lines.slice().sort(function (a, b) { return a.colour - b.colour; }).forEach(function (one) {
      if (one.front || seen[one.kind]) return;
      seen[one.kind] = true;
      add(one.kind, function (context) { mark(context, one.colour, 16, 16, 11); });
    });
    plot.lines.forEach(function (one) {
      if (one.front) add(one.label, function (context) {
        context.setLineDash([8, 5]);
        context.lineWidth = 3;
        context.strokeStyle = variable('--faint');
        context.beginPath();
        context.moveTo(0, 16);
        context.lineTo(32, 16);
        context.stroke();
      });
    });
    place.after(list);
  }

  // Many points stand at the lowest value, where ways are the shortest: their names get room below it.
  function room_below(low, high, pixels) {
    const share = Math.min(.45, 85 / (pixels - 80)), above = Math.log10(high * 2 / low);
    return [low / Math.pow(10, above * share / (1 - share)), high * 2];
  }

  function draw(plot, index) {
    const place = document.getElementById('plot' + index);
    if (!plot.x.length) return;
    function size() {
      const width = place.clientWidth;
      if (plot.small) return { width: width, height: 150 };
      return { width: width, height: plot.names ? Math.round(Math.max(460, Math.min(540, width * .55))) :
        Math.round(Math.max(260, Math.min(440, width * .55))) };
    }
    function colour(i) { return function () { return colour_of(plot.lines[i - 1].colour); }; }
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
      } else if (plot.names) {
        look.paths = function () { return null; };
        look.points = { show: false };
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
        scales.y.range = room_below(Math.min.apply(null, all), Math.max.apply(null, all), size().height);
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
        show: !plot.small && !plot.names,
        markers: {
          dash: function (u, i) { return i && plot.lines[i - 1].dashed ? 'dashed' : 'solid'; },
          fill: function (u, i) { return i && !plot.lines[i - 1].dashed ? colour(i)() : 'transparent'; },
        },
      },
      hooks: plot.names ? { draw: [function (u) { write_names(u, plot); }] } : {},
    };
    const chart = new uPlot(Object.assign(options, size()), [x].concat(ys), place);
    if (plot.names) write_kinds(place, plot);
    addEventListener('resize', function () { chart.setSize(size()); });
    dark.addEventListener('change', function () { chart.redraw(false, true); });
  }

  const data = document.getElementById('plots');
  if (data) JSON.parse(data.textContent).forEach(draw);

  // Moving pictures ------------------------------------------------------------------------------------------

  // Each can be stopped, and stands still at first for those who want that: a canvas holds its first picture.
  document.querySelectorAll('.trails img[src$=".gif"]').forEach(function (moving) {
    const still = document.createElement('canvas'), button = document.createElement('button');
    function show(stopped) {
      still.width = moving.naturalWidth;
      still.height = moving.naturalHeight;
      if (stopped) still.getContext('2d').drawImage(moving, 0, 0);
      still.hidden = !stopped;
      moving.hidden = stopped;
      button.textContent = stopped ? 'Play' : 'Stop';
    }
    still.setAttribute('role', 'img');
    still.setAttribute('aria-label', moving.alt);
    button.addEventListener('click', function () { show(still.hidden); });
    moving.after(still, button);
    moving.decode().then(function () { show(matchMedia('(prefers-reduced-motion: reduce)').matches); }, function () { button.remove(); });
    still.hidden = true;
  });

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
