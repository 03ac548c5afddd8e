/** Asks the registry for known vulnerabilities of what ships, and fails on high and critical ones. */
import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

interface Report {
  readonly vulnerabilities?: Readonly<Record<string, { readonly name: string; readonly severity: string }>>
  readonly error?: { readonly summary?: string }
  readonly message?: string
}

export interface Verdict {
  readonly isFailed: boolean
  readonly text: string
}

/** What the output of `npm audit --json` comes to. A registry that does not answer is no verdict on the packages. */
export function verdictOn(output: string): Verdict {
  const report = readReport(output)
  if (!report?.vulnerabilities) {
    const reason = report?.error?.summary || report?.message || 'it gave no report'
    return {
      isFailed: false,
      text: `Not audited: the registry cannot be asked (${reason}). Run it again where it can.`,
    }
  }
  const all = Object.values(report.vulnerabilities)
  const grave = all.filter(({ severity }) => severity === 'high' || severity === 'critical')
  if (grave.length === 0)
    return { isFailed: false, text: `Audited: nothing high or critical, ${all.length} of lesser weight.` }
  const named = grave.map(({ name, severity }) => `${name} (${severity})`).join(', ')
  return { isFailed: true, text: `Vulnerable: ${named}. See npm audit --omit=dev.` }
}

function readReport(output: string): Report | undefined {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

if (import.meta.main) {
  const packages = readdirSync(join(import.meta.dirname, '../packages')).flatMap((name) => ['-w', `packages/${name}`])
  const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json', ...packages], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const { isFailed, text } = verdictOn(stdout ?? '')
  console.log(text)
  if (isFailed) process.exitCode = 1
}
