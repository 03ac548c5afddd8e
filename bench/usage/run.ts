/** `npm run bench:usage`: the speed of reading access logs, compared with GoAccess on the same file. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeLine } from '@nomen/core'
import { LineReader, usageReport } from '@nomen/core/usage'
import { programPath } from '@nomen/testing/debian'
import { machine } from '../report.ts'
import { session } from '../session.ts'
import { positive } from '../settings.ts'
import { spread } from '../statistic.ts'

const help = `npm run bench:usage -- [options]

Reads an access log as nomen usage does, on one core, and lets GoAccess (Debian's package) read the same file.

  --lines <number>   lines of the log (default: 2000000)
  --rounds <number>  rounds, in which both take turns (default: 3)`

const agents = [
  'shop/1.2.0',
  'billing/7',
  'curl/8.5.0',
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36',
  undefined,
  'report/2.1 (node)',
]
const format = [
  '--log-format=%h:%^ %^ %e [%d:%t %^] "%r" %s %b "%R" "%u"',
  '--date-format=%d/%m/%Y',
  '--time-format=%T',
]

/** As many endpoints as a service of some size has. */
const endpoints = ['', '/v1', '/v2'].flatMap((prefix) =>
  ['user', 'department', 'application', 'role', 'action'].flatMap((noun) =>
    [
      ['GET', `/${noun}`],
      ['POST', `/${noun}`],
      ['GET', `/${noun}/{id}`],
      ['PATCH', `/${noun}/{id}`],
      ['DELETE', `/${noun}/{id}`],
      ['GET', `/${noun}/by-name/{name}`],
      ['GET', `/${noun}/{id}/preference/{preferenceId}`],
    ].map(([method = '', path = '']) => ({ id: `${method} ${prefix}${path}`, method, path: `${prefix}${path}` })),
  ),
)

/** Requests of all operations by several applications, one every 50 milliseconds. */
function writeLog(path: string, lines: number): void {
  const file = openSync(path, 'w')
  let text = ''
  for (let index = 0; index < lines; index++) {
    const { method, path: template } = endpoints[index % endpoints.length] as (typeof endpoints)[number]
    const query = index % 2 ? '?pageSize=10&status=ACTIVE' : ''
    text += `${writeLine({
      address: `10.0.0.${index % 200}`,
      port: 50_000 + (index % 1000),
      user: index % 3 ? 'alice' : undefined,
      time: Date.parse('2026-11-01T00:00:00Z') + index * 50,
      method,
      target: template.replace(/\{[^}]*\}/g, `${index % 9999}`) + query,
      protocol: 'HTTP/1.1',
      status: index % 50 ? 200 : 404,
      size: 300 + (index % 400),
      referrer: index % 6 === 3 ? 'https://people.example.com/list' : undefined,
      userAgent: agents[index % agents.length],
    })}\n`
    if (text.length > 1e6 || index === lines - 1) {
      writeSync(file, text)
      text = ''
    }
  }
  closeSync(file)
}

function readOurs(path: string): number {
  const startMs = performance.now()
  const reader = new LineReader(endpoints)
  const file = openSync(path, 'r')
  const piece = Buffer.alloc(1024 * 1024)
  for (let length = readSync(file, piece); length > 0; length = readSync(file, piece))
    reader.read(piece.subarray(0, length))
  closeSync(file)
  reader.end()
  usageReport(endpoints, reader, 30)
  return (performance.now() - startMs) / 1000
}

function readTheirs(program: string, path: string, folder: string): number {
  const startMs = performance.now()
  execFileSync(program, [path, ...format, '--no-global-config', '-o', join(folder, 'report.json')], { stdio: 'ignore' })
  return (performance.now() - startMs) / 1000
}

await session('bench:usage', async (folder) => {
  const options = { lines: { type: 'string' }, rounds: { type: 'string' }, help: { type: 'boolean' } } as const
  const { values } = parseArgs({ options })
  if (values.help) return console.log(help)
  const lines = positive('lines', values.lines, 2_000_000)
  const rounds = positive('rounds', values.rounds, 3)
  const program = programPath(['goaccess'], 'goaccess')
  const path = join(folder, 'access.log')
  writeLog(path, lines)
  const ours: number[] = []
  const theirs: number[] = []
  for (let round = 0; round < rounds; round++) {
    ours.push(lines / readOurs(path))
    theirs.push(lines / readTheirs(program, path, folder))
  }
  const memory = process.memoryUsage.rss() / 1024 / 1024
  const rateText = (rates: number[]) => `${Math.round(spread(rates).median).toLocaleString('en')} lines per second`
  console.log(machine())
  console.log(
    `${lines.toLocaleString('en')} lines, ${(statSync(path).size / 1e6).toFixed(0)} MB, medians of ${rounds} rounds`,
  )
  console.log(`nomen usage  ${rateText(ours)}, ${memory.toFixed(0)} MiB resident`)
  console.log(`GoAccess     ${rateText(theirs)}`)
})
