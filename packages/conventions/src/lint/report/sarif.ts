/** The report of the linter in SARIF 2.1.0, for code hosts and editors. */
import type { Finding, IgnoredFinding, LintReport } from '../finding.ts'
import { type RuleInfo, rules } from '../rule/rules.ts'

const indexOf = new Map(rules.map(({ code }, index) => [code, index]))

/**
 * Writes a lint report as SARIF 2.1.0. Ignored findings are suppressed, with the reason.
 *
 * @example
 * ```ts
 * console.log(sarifReport(await lintDocument('openapi.yaml')))
 * ```
 */
export function sarifReport({ findings, ignored }: LintReport): string {
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'nomen lint',
            rules: rules.map(ruleOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: [...findings.map(resultOf), ...ignored.map(suppressionOf)],
      },
    ],
  }
  return JSON.stringify(log, null, 2)
}

function ruleOf({ code, severity, about, explanation: { text, bad, good } }: RuleInfo) {
  const block = (example: string) => `\`\`\`yaml\n${example}\n\`\`\``
  return {
    id: code,
    shortDescription: { text: about },
    help: {
      text: `${about} ${text}\n\nBad:\n${bad}\n\nGood:\n${good}`,
      markdown: `${about} ${text}\n\nBad:\n${block(bad)}\n\nGood:\n${block(good)}`,
    },
    defaultConfiguration: { level: severity },
  }
}

function resultOf({ code, severity, message, fix, file, line, column, pointer }: Finding) {
  return {
    ruleId: code,
    ruleIndex: indexOf.get(code),
    level: severity,
    message: { text: `${message} ${fix}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: uriOf(file) },
          ...(line !== undefined && { region: { startLine: line, startColumn: column } }),
        },
        logicalLocations: [{ fullyQualifiedName: pointer }],
      },
    ],
  }
}

function suppressionOf(finding: IgnoredFinding) {
  return { ...resultOf(finding), suppressions: [{ kind: 'inSource', justification: finding.reason }] }
}

function uriOf(file: string): string {
  if (/^https?:/.test(file)) return file
  return file.split(/[\\/]/).map(encodeURIComponent).join('/')
}
