/** The few parts of SVG that the charts need, with colors for light and dark mode. */

type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element, with or without content. Coordinates are rounded to a tenth of a pixel. */
export function element(name: string, attributes: Attributes, content = ''): string {
  const attributeText = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? roundNumber(value) : escapeText(value ?? '')}"`)
    .join('')
  return content === '' ? `<${name}${attributeText}/>` : `<${name}${attributeText}>${content}</${name}>`
}

/** An escaped text. */
export function text(x: number, y: number, content: string, attributes: Attributes = {}): string {
  return element('text', { x, y, ...attributes }, escapeText(content))
}

/** A whole drawing with its own background, so that it is readable on any page. */
export function drawing(size: { width: number; height: number }, title: string, parts: readonly string[]): string {
  const { width, height } = size
  const lines = [
    element('title', {}, escapeText(title)),
    `<style>${style}</style>`,
    element('rect', { class: 'ground', width, height, rx: 8 }),
    ...parts,
  ]
  const attributes = {
    xmlns: 'http://www.w3.org/2000/svg',
    viewBox: `0 0 ${width} ${height}`,
    width,
    height,
    role: 'img',
  }
  return `${element('svg', attributes, `\n${lines.join('\n')}\n`)}\n`
}

/** The approximate width of a text, in pixels. */
export function widthOf(content: string, fontSize: number): number {
  return content.length * fontSize * 0.56
}

const light = {
  ground: '#ffffff',
  ink: '#1b2430',
  faint: '#66707f',
  grid: '#e3e7ec',
  ours: '#2563eb',
  other: '#b6bfcb',
  plain: '#d9640b',
}
const dark = {
  ground: '#12171f',
  ink: '#e6eaf0',
  faint: '#98a3b3',
  grid: '#2a323d',
  ours: '#6ea3ff',
  other: '#556171',
  plain: '#ff9d4d',
}

const variables = (colors: typeof light): string =>
  Object.entries(colors)
    .map(([name, value]) => `--${name}: ${value}`)
    .join('; ')

const style = `
svg { ${variables(light)}; font: 13px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif }
@media (prefers-color-scheme: dark) { svg { ${variables(dark)} } }
text { fill: var(--ink); stroke: var(--ground); stroke-width: 3px; stroke-linejoin: round; paint-order: stroke }
.ground { fill: var(--ground) }
.title { font-size: 17px; font-weight: 600 }
.head { font-weight: 600 }
.faint { fill: var(--faint); font-size: 12px }
.number { font-variant-numeric: tabular-nums }
.grid { stroke: var(--grid); stroke-width: 1 }
.ours { fill: var(--ours) }
.other { fill: var(--other) }
.plain { fill: var(--plain) }
.line { fill: none; stroke-width: 2; stroke-linejoin: round }
.line.ours { stroke: var(--ours) }
.line.plain { stroke: var(--plain) }
.line.legend { stroke: var(--faint) }
.mark { stroke: var(--ground); stroke-width: 1.5 }
text.ours, text.plain { font-weight: 600 }
`

function roundNumber(value: number): number {
  return Math.round(value * 10) / 10
}

function escapeText(content: string | number): string {
  return `${content}`.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
