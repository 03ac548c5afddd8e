/** Metrics as text, in the format that Prometheus scrapes (version 0.0.4). */
import type { Labels, MetricFamily } from './registry.ts'

export const expositionType = 'text/plain; version=0.0.4; charset=utf-8'

/** Writes one block per metric name, with the samples of all processes. */
export function exposition(families: readonly MetricFamily[]): string {
  const blocks = new Map<string, string[]>()
  for (const { name, help, type, samples } of families) {
    if (samples.length === 0) continue
    const lines = blocks.get(name) ?? [`# HELP ${name} ${escapedHelp(help)}`, `# TYPE ${name} ${type}`]
    for (const { suffix = '', labels = {}, value } of samples) {
      lines.push(`${name}${suffix}${labelText(labels)} ${valueText(value)}`)
    }
    blocks.set(name, lines)
  }
  return [...blocks.values()].map((lines) => `${lines.join('\n')}\n`).join('')
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escapedLabel(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

function escapedHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapedLabel(text: string): string {
  return escapedHelp(text).replaceAll('"', '\\"')
}

function valueText(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return `${value}`
  return value > 0 ? '+Inf' : '-Inf'
}
