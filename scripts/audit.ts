/** Runs npm audit for the published packages, and fails on high and critical vulnerabilities. */
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

/** Evaluates the output of `npm audit --json`. If the registry does not respond, the audit does not fail. */
export function evaluateAudit(output: string): Verdict {
  const report = readReport(output)
  if (!report?.vulnerabilities) {
    const reason = report?.error?.summary || report?.message || 'no report'
    return {
      isFailed: false,
      text: `Not audited: the registry does not respond (${reason}). Run the audit again with a connection to it.`,
    }
  }
  const entries = Object.values(report.vulnerabilities)
  const severe = entries.filter(({ severity }) => severity === 'high' || severity === 'critical')
  if (severe.length === 0)
    return { isFailed: false, text: `Audited: no high or critical vulnerabilities, ${entries.length} others.` }
  const names = severe.map(({ name, severity }) => `${name} (${severity})`).join(', ')
  return { isFailed: true, text: `Vulnerable: ${names}. See npm audit --omit=dev.` }
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
  const { isFailed, text } = evaluateAudit(stdout ?? '')
  console.log(text)
  if (isFailed) process.exitCode = 1
}
