// The script of a report (src/report/page.ts). Text from data is only ever set as text, never as HTML.
;(() => {
  const data = JSON.parse(document.getElementById('data').textContent)
  const all = (selector, within = document) => [...within.querySelectorAll(selector)]
  const element = (tag, className = '', text = '') => {
    const made = document.createElement(tag)
    if (className !== '') made.className = className
    made.textContent = text
    return made
  }

  // ── Folded rows ──
  for (const button of all('button.more')) {
    button.addEventListener('click', () => {
      for (const rows of all('tbody[hidden]', button.previousElementSibling)) rows.hidden = false
      button.remove()
    })
  }

  // ── Tabs: arrow keys move between them ──
  for (const list of all('[role=tablist]')) {
    const tabs = all('[role=tab]', list)
    const choose = tab => {
      for (const each of tabs) {
        const chosen = each === tab
        each.setAttribute('aria-selected', String(chosen))
        each.tabIndex = chosen ? 0 : -1
        document.getElementById(each.getAttribute('aria-controls')).hidden = !chosen
      }
    }
    for (const [i, tab] of tabs.entries()) {
      tab.addEventListener('click', () => choose(tab))
      tab.addEventListener('keydown', event => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
        if (step === undefined) return
        const next = tabs[(i + step + tabs.length) % tabs.length]
        choose(next)
        next.focus()
      })
    }
  }

  // ── Code ──
  const words =
    /\b(const|for|if|else|while|return|void|static|inline|function|export|import|let|async|await|restrict|struct|typedef|i64|f32|f64|bool|char)\b/
  const codeRow = (tag, number, text) => {
    const row = element(tag, 'row')
    row.append(element('i', '', number))
    const comment = text.search(/\/\/|\s#\s/)
    const plain = comment < 0 ? text : text.slice(0, comment)
    for (const part of plain.split(words)) row.append(words.test(part) ? element('span', 'word', part) : part)
    if (comment >= 0) row.append(element('span', 'comment', text.slice(comment)))
    return row
  }
  const codeBox = (label, name = 'div') => {
    const box = element(name, 'code')
    box.tabIndex = 0
    box.setAttribute('role', 'group')
    box.setAttribute('aria-label', label)
    return box
  }
  const plainCode = (text, label) => {
    const box = codeBox(label, 'pre')
    box.append(element('span', 'row', text))
    return box
  }

  /** The generated code; rows know the user's line that the comment above them names. */
  const generatedCode = (kernel, text) => {
    const box = codeBox(`Generated code of ${kernel.name}`)
    box.append(element('h4', '', `generated: ${kernel.name}`))
    let from = ''
    for (const [i, line] of text.split('\n').entries()) {
      const named = /^\s*\/\/ (\S+:\d+)$/.exec(line)
      if (named !== null) from = named[1]
      const row = codeRow('span', String(i + 1), line)
      row.dataset.from = from
      box.append(row)
    }
    return box
  }
  /** The user's lines; choosing one marks what was generated from it. */
  const sourceCode = (kernel, generated) => {
    const box = codeBox('Your lines')
    if (kernel.at.length === 0) box.append(element('h4', '', 'of no line of yours'))
    for (const file of new Set(kernel.at.map(([index]) => index))) {
      const { path, lines } = data.sources[file]
      const own = new Set(kernel.at.filter(([index]) => index === file).map(([, line]) => line))
      const near = line => [-2, -1, 0, 1, 2].some(step => own.has(line + step))
      box.append(element('h4', '', path))
      for (const [number, text] of lines.filter(([line]) => near(line))) {
        const row = codeRow(own.has(number) ? 'button' : 'span', String(number), text)
        if (!own.has(number)) row.classList.add('aside')
        else markOnChoice(row, `${path.split(/[\\/]/).pop()}:${number}`, box, generated)
        box.append(row)
      }
    }
    return box
  }
  const markOnChoice = (row, place, box, generated) => {
    row.type = 'button'
    row.setAttribute('aria-pressed', 'false')
    row.addEventListener('click', () => {
      const lit = !row.classList.contains('lit')
      for (const each of all('.lit', box)) {
        each.classList.remove('lit')
        each.setAttribute('aria-pressed', 'false')
      }
      row.classList.toggle('lit', lit)
      row.setAttribute('aria-pressed', String(lit))
      const rows = all('.row', generated)
      for (const each of rows) each.classList.toggle('lit', lit && each.dataset.from === place)
      const first = rows.find(each => each.classList.contains('lit'))
      if (first !== undefined) generated.scrollTop = first.offsetTop - generated.offsetTop - 40
    })
  }

  const list = document.getElementById('kernel-list')
  for (const details of all('details.kernel')) {
    details.addEventListener('toggle', () => {
      if (!details.open || details.dataset.shown !== undefined) return
      details.dataset.shown = ''
      const kernel = data.kernels[Number(details.dataset.kernel)]
      const text = data.code[kernel.segment][kernel.name]
      const generated = generatedCode(
        kernel,
        text ?? '// part of a kernel that several launches share: see all generated code',
      )
      const beside = element('div', 'beside')
      beside.append(sourceCode(kernel, generated), generated)
      details.append(beside)
    })
  }
  for (const details of all('details[data-text]')) {
    details.addEventListener('toggle', () => {
      if (!details.open || details.dataset.shown !== undefined) return
      details.dataset.shown = ''
      const [kind, segment] = details.dataset.text.split('-')
      const text = kind === 'code' ? Object.values(data.code[segment]).join('\n\n') : data[details.dataset.text]
      details.append(plainCode(text, details.textContent))
    })
  }

  // ── The list of kernels: filter and order ──
  if (list !== null) {
    const rows = all('details.kernel', list)
    const search = document.getElementById('kernel-search')
    const output = search.parentElement.querySelector('output')
    search.addEventListener('input', () => {
      const parts = search.value.toLowerCase().split(/\s+/)
      let count = 0
      for (const row of rows) {
        row.hidden = !parts.every(part => row.dataset.search.includes(part))
        if (!row.hidden) count++
      }
      output.textContent = search.value === '' ? '' : `${count} of ${rows.length}`
    })
    const orders = {
      cost: (a, b) => b.dataset.cost - a.dataset.cost,
      launch: (a, b) => a.dataset.kernel - b.dataset.kernel,
    }
    const buttons = all('[data-order]')
    const order = name => {
      list.append(...rows.toSorted(orders[name]))
      for (const button of buttons) button.setAttribute('aria-pressed', String(button.dataset.order === name))
    }
    for (const button of buttons) button.addEventListener('click', () => order(button.dataset.order))
    order('cost')
  }

  // ── Addresses: open what they name ──
  const showAddress = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)))
    if (!(target instanceof HTMLDetailsElement)) return
    target.hidden = false
    target.open = true
    target.scrollIntoView({ block: 'start' })
    target.querySelector('summary').focus({ preventScroll: true })
  }
  addEventListener('hashchange', showAddress)
  // A link to the address that is shown already changes no hash.
  document.addEventListener('click', event => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link !== null && link.getAttribute('href') === location.hash) showAddress()
  })

  // ── The section that is read, in the table of contents ──
  const entries = new Map(all('nav a').map(link => [link.getAttribute('href').slice(1), link]))
  const seen = new IntersectionObserver(
    changes => {
      for (const { target, isIntersecting } of changes) {
        if (!isIntersecting) continue
        for (const [id, link] of entries) link.classList.toggle('here', id === target.id)
      }
    },
    { rootMargin: '-10% 0px -80% 0px' },
  )
  for (const section of all('main > section')) seen.observe(section)

  // ── Moving and zooming with pointer and keys, for graphs and timelines ──
  const movable = (area, { move, zoom, showAll }) => {
    let from = null
    let moved = 0
    area.addEventListener('pointerdown', event => {
      if (event.button !== 0) return
      from = event
      moved = 0
    })
    addEventListener('pointermove', event => {
      if (from === null) return
      moved += Math.abs(event.clientX - from.clientX) + Math.abs(event.clientY - from.clientY)
      if (moved > 4) move(from.clientX - event.clientX, from.clientY - event.clientY)
      from = event
    })
    for (const end of ['pointerup', 'pointercancel']) {
      addEventListener(end, () => {
        from = null
      })
    }
    area.addEventListener('dragstart', event => event.preventDefault())
    area.addEventListener('click', event => moved > 4 && event.preventDefault(), true)
    area.addEventListener(
      'wheel',
      event => {
        if (!event.ctrlKey && !event.metaKey) return
        event.preventDefault()
        const box = area.getBoundingClientRect()
        zoom(1.0015 ** -event.deltaY, event.clientX - box.left, event.clientY - box.top)
      },
      { passive: false },
    )
    const keys = {
      ArrowLeft: () => move(-60, 0),
      ArrowRight: () => move(60, 0),
      ArrowUp: () => move(0, -60),
      ArrowDown: () => move(0, 60),
      '+': () => zoom(1.3),
      '=': () => zoom(1.3),
      '-': () => zoom(1 / 1.3),
      0: () => showAll(),
    }
    area.addEventListener('keydown', event => {
      if (event.target !== area || event.ctrlKey || event.metaKey || event.altKey || keys[event.key] === undefined)
        return
      event.preventDefault()
      keys[event.key]()
    })
    const buttons = { in: () => zoom(1.3), out: () => zoom(1 / 1.3), fit: showAll }
    for (const button of all('[data-zoom]', area.parentElement))
      button.addEventListener('click', buttons[button.dataset.zoom])
  }

  // ── Graphs ──
  for (const graph of all('.graph')) {
    const canvas = graph.querySelector('.canvas')
    const svg = canvas.querySelector('svg')
    const [width, height] = [Number(svg.getAttribute('width')), Number(svg.getAttribute('height'))]
    const nodes = all('.node', svg)
    const placeOf = node =>
      node
        .getAttribute('transform')
        .match(/-?[\d.]+/g)
        .map(Number)
    let view = null
    canvas.classList.add('live')
    const size = () => [canvas.clientWidth, canvas.clientHeight]
    const draw = () => {
      const [w, h] = size()
      svg.setAttribute(
        'viewBox',
        `${view.x - w / 2 / view.scale} ${view.y - h / 2 / view.scale} ${w / view.scale} ${h / view.scale}`,
      )
    }
    const whole = () => Math.min(size()[0] / width, size()[1] / height)
    const showAll = () => {
      view = { x: width / 2, y: height / 2, scale: Math.min(1.2, whole()) }
      draw()
    }
    /** All of it if it can be read, else its beginning. */
    const start = () => {
      const scale = Math.min(1.2, whole())
      if (scale >= 0.5 || nodes.length === 0) return showAll()
      const [x] = placeOf(nodes[0])
      view = { x, y: size()[1] / 2 / 0.75, scale: 0.75 }
      draw()
    }
    const zoom = (factor, px = size()[0] / 2, py = size()[1] / 2) => {
      const [w, h] = size()
      const scale = Math.min(4, Math.max(Math.min(0.05, whole()), view.scale * factor))
      const [dx, dy] = [px - w / 2, py - h / 2]
      view = { x: view.x + dx / view.scale - dx / scale, y: view.y + dy / view.scale - dy / scale, scale }
      draw()
    }
    const move = (dx, dy) => {
      view.x += dx / view.scale
      view.y += dy / view.scale
      draw()
    }
    new ResizeObserver(() => {
      if (canvas.clientWidth === 0) return
      if (view === null) start()
      else draw()
    }).observe(canvas)
    movable(canvas, { move, zoom, showAll })
    searchNodes(graph, nodes, node => {
      const [x, y] = placeOf(node)
      view = { x, y, scale: Math.max(view.scale, 0.9) }
      draw()
    })
  }

  /** Marks the nodes whose text has all words; Enter goes to the next, Shift and Enter to the one before. */
  function searchNodes(graph, nodes, show) {
    const [search, output] = [graph.querySelector('input'), graph.querySelector('output')]
    const texts = nodes.map(node => node.textContent.toLowerCase())
    let [found, at] = [[], -1]
    const go = index => {
      for (const node of all('.current', graph)) node.classList.remove('current')
      at = index
      output.textContent = search.value === '' ? '' : found.length === 0 ? 'none' : `${at + 1} of ${found.length} `
      if (found.length === 0) return
      found[at].classList.add('current')
      show(found[at])
      const href = found[at].getAttribute('href')
      if (href === null) return
      const link = element('a', '', 'open its kernel')
      link.href = href
      output.append(link)
    }
    search.addEventListener('input', () => {
      const words = search.value
        .toLowerCase()
        .split(/\s+/)
        .filter(word => word !== '')
      for (const [i, node] of nodes.entries())
        node.classList.toggle('found', words.length > 0 && words.every(word => texts[i].includes(word)))
      found = nodes.filter(node => node.classList.contains('found'))
      go(0)
    })
    search.addEventListener('keydown', event => {
      if (event.key !== 'Enter' || found.length === 0) return
      go((at + (event.shiftKey ? -1 : 1) + found.length) % found.length)
    })
  }

  // ── Timelines ──
  for (const box of all('.timeline')) timeline(box, data[box.dataset.timeline])

  /** `spans`: track, depth, start, duration, index of the name, index of the kind, for each span. */
  function timeline(box, { tracks, names, kinds, spans, duration }) {
    const canvas = box.querySelector('canvas')
    const tip = box.querySelector('.tip')
    const pen = canvas.getContext('2d')
    const [rowHeight, ruler, heading] = [20, 22, 18]
    const tops = []
    let top = ruler
    for (const { depth } of tracks) {
      tops.push(top + heading)
      top += heading + depth * rowHeight + 8
    }
    canvas.style.height = `${top}px`
    let [from, to] = [0, duration]
    let width = 0
    const xOf = time => ((time - from) / (to - from)) * width
    const timeText = time =>
      time < 1e3
        ? `${+time.toPrecision(3)} ns`
        : time < 1e6
          ? `${+(time / 1e3).toPrecision(3)} µs`
          : time < 1e9
            ? `${+(time / 1e6).toPrecision(4)} ms`
            : `${+(time / 1e9).toPrecision(4)} s`
    const draw = () => {
      const style = getComputedStyle(box)
      const colour = name => style.getPropertyValue(name)
      const colours = kinds.map((_, i) => colour(`--s${i % 7}`))
      const dense = devicePixelRatio
      canvas.width = Math.round(width * dense)
      canvas.height = Math.round(top * dense)
      pen.setTransform(dense, 0, 0, dense, 0, 0)
      pen.clearRect(0, 0, width, top)
      pen.font = '11px system-ui, sans-serif'
      pen.textBaseline = 'middle'
      const raw = (to - from) / Math.max(2, width / 110)
      const power = 10 ** Math.floor(Math.log10(raw))
      const step = power * [1, 2, 5, 10].find(factor => factor * power >= raw)
      for (let time = Math.ceil(from / step) * step; time < to; time += step) {
        pen.fillStyle = colour('--line')
        pen.fillRect(xOf(time), 0, 1, top)
        pen.fillStyle = colour('--muted')
        pen.fillText(timeText(time), xOf(time) + 4, ruler / 2)
      }
      for (const [i, { name }] of tracks.entries()) {
        pen.fillStyle = colour('--muted')
        pen.fillText(name, 6, tops[i] - heading / 2)
      }
      for (let i = 0; i < spans.length; i += 6) {
        const [track, depth, start, length, name, kind] = spans.slice(i, i + 6)
        if (start > to || start + length < from) continue
        const left = Math.max(-2, xOf(start))
        const wide = Math.max(
          0.7,
          Math.min(width + 2, xOf(start + length)) - left - (xOf(length) - xOf(0) > 3 ? 0.6 : 0),
        )
        const y = tops[track] + depth * rowHeight
        pen.globalAlpha = 0.38
        pen.fillStyle = colours[kind]
        pen.fillRect(left, y, wide, rowHeight - 2)
        pen.globalAlpha = 1
        if (wide < 34) continue
        pen.fillStyle = colour('--text')
        const room = Math.floor((wide - 8) / 6)
        const text = names[name]
        pen.fillText(text.length <= room ? text : `${text.slice(0, room - 1)}…`, left + 4, y + rowHeight / 2 - 0.5)
      }
    }
    const spanAt = (x, y) => {
      for (let i = spans.length - 6; i >= 0; i -= 6) {
        const row = tops[spans[i]] + spans[i + 1] * rowHeight
        if (y < row || y >= row + rowHeight) continue
        const left = xOf(spans[i + 2])
        if (x >= left - 1 && x <= Math.max(left + 1, xOf(spans[i + 2] + spans[i + 3]))) return i
      }
      return -1
    }
    const limit = () => {
      const length = Math.min(duration, Math.max(50, to - from))
      from = Math.min(Math.max(0, from), duration - length)
      to = from + length
      draw()
    }
    const zoom = (factor, x = width / 2) => {
      const middle = from + ((to - from) * x) / width
      ;[from, to] = [middle - (middle - from) / factor, middle + (to - middle) / factor]
      limit()
    }
    const move = dx => {
      const by = (dx / width) * (to - from)
      ;[from, to] = [from + by, to + by]
      limit()
    }
    const showAll = () => {
      ;[from, to] = [0, duration]
      draw()
    }
    movable(canvas, { move, zoom, showAll })
    canvas.addEventListener('mousemove', event => {
      const found = spanAt(event.offsetX, event.offsetY)
      if (found >= 0)
        tip.textContent = `${kinds[spans[found + 5]]} ${names[spans[found + 4]]}: ${timeText(spans[found + 3])}, from ${timeText(spans[found + 2])}`
    })
    new ResizeObserver(() => {
      width = canvas.clientWidth
      draw()
    }).observe(box)
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw)
  }

  if (location.hash !== '') showAddress()
  document.documentElement.dataset.ready = String(Math.round(performance.now()))
})()
