/** Usage as a self-contained HTML page: a heat map of endpoints by application, and the trend of each endpoint. */
import type { CallerReport, EndpointReport, UsageReport } from '@nomen/core/usage'
import { numberText } from '../output/number-text.ts'
import { callerName, coverage, deprecationText, warnings } from './usage-table.ts'

/** The maximum number of columns. */
const maxColumns = 24

export function usagePage(report: UsageReport): string {
  const columns = columnsOf(report)
  const maxRequests = Math.max(1, ...report.endpoints.flatMap(({ callers }) => callers.map(({ requests }) => requests)))
  const days = daysOf(report)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Usage</title>
<style>${style}</style>
</head>
<body>
<h1>API usage</h1>
${coverage(report)
  .map((line) => `<p>${escapeHtml(line)}</p>`)
  .join('\n')}
${warnings(report)
  .map((line) => `<p class="warning">${escapeHtml(line)}</p>`)
  .join('\n')}
<table>
<thead><tr><th scope="col">Endpoint</th><th scope="col">Verdict</th><th scope="col" class="number">Requests</th><th scope="col">Trend</th>${columns
    .map((name) => `<th scope="col" class="caller"><span title="${escapeHtml(name)}">${escapeHtml(name)}</span></th>`)
    .join('')}</tr></thead>
<tbody>
${report.endpoints.map((endpoint) => row(endpoint, columns, maxRequests, days)).join('\n')}
</tbody>
</table>
</body>
</html>
`
}

function row(
  endpoint: EndpointReport,
  columns: readonly string[],
  maxRequests: number,
  days: readonly string[],
): string {
  const { method, path, verdict, requests, last, callers } = endpoint
  const activity = verdict === 'in use' ? 'in use' : last ? `quiet since ${last.slice(0, 10)}` : verdict
  const status = `${activity}${deprecationText(endpoint)}`
  const cells = columns.map((name) =>
    cell(
      callers.filter((caller) => columnOf(caller, columns) === name),
      name,
      maxRequests,
    ),
  )
  return `<tr class="${verdict.replace(' ', '-')}"><th scope="row"><b>${escapeHtml(method)}</b> ${escapeHtml(path)}</th><td class="verdict">${escapeHtml(
    status,
  )}</td><td class="number">${numberText(requests)}</td><td>${trend(callers, days)}</td>${cells.join('')}</tr>`
}

/** A cell of the heat map, with a logarithmic color scale. */
function cell(callers: readonly CallerReport[], name: string, maxRequests: number): string {
  const requests = callers.reduce((sum, caller) => sum + caller.requests, 0)
  if (requests === 0) return '<td></td>'
  const errors = callers.reduce((sum, caller) => sum + caller.errors, 0)
  const last =
    callers
      .map((caller) => caller.last)
      .sort()
      .at(-1) ?? ''
  const share = Math.log(requests + 1) / Math.log(maxRequests + 1)
  const title = `${name}: ${numberText(requests)} requests, ${numberText(errors)} errors, last ${last}`
  return `<td class="heat${share > 0.5 ? ' dark' : ''}" style="--share:${share.toFixed(3)}" title="${escapeHtml(title)}">${shortNumber(requests)}</td>`
}

function trend(callers: readonly CallerReport[], days: readonly string[]): string {
  const counts = days.map((day) => callers.reduce((sum, caller) => sum + (caller.days[day] ?? 0), 0))
  const maxCount = Math.max(...counts)
  if (!(maxCount > 0)) return ''
  const step = 120 / Math.max(1, days.length)
  const bars = counts.map((count, index) => {
    const height = count === 0 ? 0 : Math.max(1, (count / maxCount) * 20)
    return `<rect x="${(index * step).toFixed(1)}" y="${(20 - height).toFixed(1)}" width="${Math.max(0.5, step - 0.5).toFixed(1)}" height="${height.toFixed(1)}"/>`
  })
  return `<svg viewBox="0 0 120 20" width="120" height="20" role="img" aria-label="Requests by day, at most ${numberText(maxCount)}">${bars.join('')}</svg>`
}

// jscpd:ignore-start: the console has the same two functions, but it may import only types of usage reports
/** The applications with the most requests, and one column for all others. */
function columnsOf({ endpoints }: UsageReport): readonly string[] {
  const totals = new Map<string, number>()
  for (const caller of endpoints.flatMap(({ callers }) => callers)) {
    const name = callerName(caller)
    totals.set(name, (totals.get(name) ?? 0) + caller.requests)
  }
  const sorted = [...totals].sort(([, first], [, second]) => second - first).map(([name]) => name)
  return sorted.length > maxColumns ? [...sorted.slice(0, maxColumns - 1), otherColumn] : sorted
}

function daysOf({ window }: UsageReport): readonly string[] {
  if (!window) return []
  const days: string[] = []
  const end = Date.parse(window.last.slice(0, 10))
  for (let dayMs = Date.parse(window.first.slice(0, 10)); dayMs <= end; dayMs += 86_400_000)
    days.push(new Date(dayMs).toISOString().slice(0, 10))
  return days.slice(-366)
}
// jscpd:ignore-end

const otherColumn = 'all others'

function columnOf(caller: CallerReport, columns: readonly string[]): string {
  const name = callerName(caller)
  return columns.includes(name) ? name : otherColumn
}

function shortNumber(count: number): string {
  return count < 10_000
    ? numberText(count)
    : count < 1e6
      ? `${Math.round(count / 1000)} k`
      : `${(count / 1e6).toFixed(1)} M`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}

const style = `
:root{font:14px/1.4 system-ui,sans-serif;color:#1d2433;background:#f6f7f9}
body{margin:2rem}h1{font-size:1.4rem;margin:0 0 .5rem}p{margin:.2rem 0}.warning{color:#9a5b00}
table{border-collapse:collapse;margin-top:1.5rem;background:#fff;border:1px solid #dde1e8}
th,td{padding:.3rem .5rem;border-bottom:1px solid #eceff3;text-align:left;white-space:nowrap}
tbody th{font-weight:400;font-family:ui-monospace,monospace;font-size:12px}
thead th{vertical-align:bottom}.number{text-align:right;font-variant-numeric:tabular-nums}
.caller{padding:.3rem 0;text-align:left}.caller span{display:block;margin:0 auto;writing-mode:vertical-rl;rotate:180deg;max-height:12rem;overflow:hidden;text-overflow:ellipsis}
.heat{text-align:center;font-size:11px;background:color-mix(in srgb,#1f5eff calc(var(--share)*100%),#fff)}.dark{color:#fff}
.in-use .verdict{color:#14753b}.quiet .verdict{color:#9a5b00}.never-called .verdict{color:#b3261e}
svg{display:block;fill:#7d8aa5}
`
