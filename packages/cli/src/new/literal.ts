/** Formats plain data as TypeScript. */

const width = 110

/** Code that is written unchanged, such as a call or a name. */
export class Code {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** One line if it fits after the `used` characters of that line, otherwise one line per part. */
export function literal(value: unknown, indent = '', used = 0): string {
  if (typeof value === 'string') return stringLiteral(value)
  if (value instanceof Code) return value.text
  if (value instanceof RegExp) return `${value}`
  if (typeof value !== 'object' || value === null) return `${value}`
  const parts = Array.isArray(value)
    ? value.map((part) => ['', part] as const)
    : Object.entries(value).map(([name, part]) => [`${propertyName(name)}: `, part] as const)
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{ ', ' }']
  if (parts.length === 0) return `${open.trim()}${close.trim()}`
  const flat = `${open}${parts.map(([name, part]) => name + literal(part, '', -1000)).join(', ')}${close}`
  if (indent.length + used + flat.length <= width) return flat
  const innerIndent = `${indent}  `
  const lines = parts.map(([name, part]) => `${innerIndent}${name}${literal(part, innerIndent, name.length)},\n`)
  return `${open.trim()}\n${lines.join('')}${indent}${close.trim()}`
}

export function stringLiteral(text: string): string {
  const content = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${content.replaceAll("'", "\\'")}'`
}

export function propertyName(name: string): string {
  return /^[a-zA-Z_$][\w$]*$/.test(name) ? name : stringLiteral(name)
}
