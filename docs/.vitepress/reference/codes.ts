/** The tables and sections of codes: problems, lint rules, checks and changes. */
import { rules } from '@nomen/conventions'
import { problems } from '@nomen/core'
import { wrapLine } from '../../../packages/cli/src/output/help.ts'
import { catalog } from '../../../packages/conventions/src/check/catalog.ts'
import { codes, verdictOf } from '../../../packages/conventions/src/diff/code.ts'
import { expectSame, fillRows, table } from './region.ts'

/** Fills status and title below the heading of each problem code. */
export function fillProblems(page: string): string {
  const documented: string[] = []
  const filled = page.replaceAll(/^### ([a-z-]+)\n\n.*$/gm, (section, code: string) => {
    documented.push(code)
    const problem = Object.entries(problems).find(([name]) => name === code)?.[1]
    return problem ? `### ${code}\n\n**${problem[0]}** ${problem[1]}.` : section
  })
  expectSame(documented.toSorted(), Object.keys(problems).sort())
  return filled
}

/** The list of all lint rules, and a section for each with its examples. */
export function lintRules(): string {
  const rows = rules.map(({ code, severity, about }) => [`[\`${code}\`](#${code})`, severity, about])
  const sections = rules.map(({ code, severity, about, explanation: { text, bad, good } }) => {
    const [first = ''] = severity
    const examples = `\`\`\`yaml\n# bad\n${bad}\n# good\n${good}\n\`\`\``
    return `## ${code}\n\n${first.toUpperCase()}${severity.slice(1)}. ${wrapLine(`${about} ${text}`, 145).join('\n')}\n\n${examples}`
  })
  return `${table(['code', 'severity', 'convention'], rows)}\n\n${sections.join('\n\n')}`
}

/** Fills the reasons of all checks. */
export function fillChecks(page: string): string {
  const [before = '', after = ''] = page.split('\n## Checks\n')
  return `${before}\n## Checks\n${fillRows(after, new Map(Object.entries(catalog)))}`
}

/** Fills the verdicts and reasons of all changes. */
export function fillChanges(page: string): string {
  const [before = '', section = '', after = ''] = page.split(/^(?=## (?:Codes|Differences from oasdiff)$)/m)
  const rows = new Map(
    codes.map((code) => {
      const { isBreaking, why } = verdictOf(code)
      return [code, [isBreaking ? 'breaking' : 'compatible', undefined, why]]
    }),
  )
  return `${before}${fillRows(section, rows)}${after}`
}
