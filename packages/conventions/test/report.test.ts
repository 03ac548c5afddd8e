import sarifSchema from '@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json' with { type: 'json' }
import { Ajv } from 'ajv'
import formats from 'ajv-formats'
import { describe, expect, it } from 'vitest'
import {
  githubReport,
  humanReport,
  jsonReport,
  junitReport,
  type LintReport,
  mergedReport,
  rules,
  sarifReport,
} from '../src/index.ts'
import { goodDocument } from './good-document.ts'
import { linted } from './linted.ts'

const finding = {
  code: 'plural-path-segment',
  severity: 'error',
  file: 'api/my api.yaml',
  line: 4,
  column: 3,
  pointer: '/paths/~1users',
  message: 'The segment "users" of /users is plural.',
  fix: 'Rename it to "user".',
  explain: 'nomen lint --explain plural-path-segment',
} as const

const { line: _, column: __, ...unplaced } = finding
const declared = { ...unplaced, severity: 'warning', file: 'service.ts', pointer: '/directory/users.list' } as const
const exception = { file: 'api/my api.yaml', pointer: '/x-nomen-ignore/0' } as const
const report: LintReport = {
  sources: ['api/my api.yaml'],
  findings: [finding, declared],
  ignored: [{ ...finding, line: 9, reason: 'Older than the conventions.', exception }],
  numberOfOperations: 1234,
}
const empty: LintReport = { sources: ['good.yaml'], findings: [], ignored: [], numberOfOperations: 0 }

describe('a report for people', () => {
  it('groups findings by file and counts them', () => {
    expect(humanReport(report)).toBe(
      [
        'api/my api.yaml',
        '  4:3  error    The segment "users" of /users is plural. Rename it to "user".  plural-path-segment',
        '',
        'service.ts',
        '  /directory/users.list  warning  The segment "users" of /users is plural. Rename it to "user".  plural-path-segment',
        '',
        '1,234 operations: 1 error, 1 warning, 1 covered by exceptions.',
        'Run nomen lint --explain plural-path-segment for an explanation of the first finding.',
      ].join('\n'),
    )
  })

  it('has the number of documents', () => {
    expect(humanReport({ ...report, sources: ['a.yaml', 'b.yaml'] })).toContain(
      '1,234 operations in 2 documents: 1 error',
    )
  })

  it('has colors only if they are enabled', () => {
    expect(humanReport(report, { isColored: true })).toContain('\u001b[31merror')
    expect(humanReport(report)).not.toContain('\u001b')
  })

  it('may be of any length', () => {
    const lines = humanReport({ ...report, findings: Array.from({ length: 200_000 }, () => finding) }).split('\n')
    expect([lines.length, lines.at(-2)]).toEqual([
      200_004,
      '1,234 operations: 200,000 errors, 0 warnings, 1 covered by exceptions.',
    ])
  })

  it('escapes control characters of a document', () => {
    const text = humanReport({ ...report, findings: [{ ...finding, message: 'a\u001b[2Jb\nc' }] })
    expect(text).toContain('a\\u001b[2Jb\\u000ac')
  })
})

describe('a report for programs', () => {
  it('is the report as JSON', () => {
    expect(JSON.parse(jsonReport(report))).toEqual(report)
  })
})

describe('a report as annotations of GitHub', () => {
  it('has a command for each finding, escaped', () => {
    const escaped = { ...report, findings: [{ ...finding, file: 'a,b:c.yaml', message: '50%\n::error::x' }, declared] }
    expect(githubReport(escaped).split('\n')).toEqual([
      '::error file=a%2Cb%3Ac.yaml,line=4,col=3,title=plural-path-segment::50%25\\u000a::error::x Rename it to "user". See nomen lint --explain plural-path-segment',
      '::warning file=service.ts,title=plural-path-segment::/directory/users.list: The segment "users" of /users is plural. Rename it to "user". See nomen lint --explain plural-path-segment',
    ])
  })

  it('is empty without findings', () => {
    expect(githubReport(empty)).toBe('')
  })
})

describe('a report in SARIF', () => {
  const log = JSON.parse(sarifReport(report))
  const [run] = log.runs

  it('fits the SARIF schema for any findings', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
    formats.default(ajv)
    // The schema is draft 04. Of the keywords that it uses, only these two differ from later drafts.
    const { $schema: _, id: __, ...schema } = sarifSchema
    const validate = ajv.compile(schema)
    const document = goodDocument()
    document.paths['/Users/'] = { get: { requestBody: {}, responses: { 204: {} } } }
    document.paths['/roles'] = {
      'x-nomen-ignore': [{ code: 'plural-path-segment', reason: 'Older.' }],
      get: { responses: { 200: {} } },
    }
    const reports = [report, await linted(document), empty]
    for (const report of reports) {
      validate(JSON.parse(sarifReport(report)))
      expect(validate.errors ?? []).toEqual([])
    }
    expect(validate({ ...log, version: '2.0.0' })).toBe(false)
  })

  it('has its version and every rule', () => {
    expect([log.version, log.$schema, log.runs.length]).toEqual([
      '2.1.0',
      'https://json.schemastore.org/sarif-2.1.0.json',
      1,
    ])
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(rules.map(({ code }) => code))
    expect(run.tool.driver.rules[0]).toEqual({
      id: 'plural-path-segment',
      shortDescription: { text: 'Nouns in paths must be singular.' },
      help: {
        text: expect.stringContaining('Bad:\n/users:\n  get: …\n\nGood:\n/user:'),
        markdown: expect.stringContaining('```yaml\n/users:\n  get: …\n```'),
      },
      defaultConfiguration: { level: 'error' },
    })
  })

  it('has the location of each finding, and ignored findings with their reasons', () => {
    const placed = {
      ruleId: 'plural-path-segment',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'The segment "users" of /users is plural. Rename it to "user".' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'api/my%20api.yaml' },
            region: { startLine: 4, startColumn: 3 },
          },
          logicalLocations: [{ fullyQualifiedName: '/paths/~1users' }],
        },
      ],
    }
    const [first, second, third, ...more] = run.results
    expect(first).toEqual(placed)
    expect(second.locations[0].physicalLocation).toEqual({ artifactLocation: { uri: 'service.ts' } })
    expect(third.suppressions).toEqual([{ kind: 'inSource', justification: 'Older than the conventions.' }])
    expect(more).toEqual([])
  })

  it('has an index for the rule of every finding', async () => {
    const document = goodDocument()
    document.paths['/Users/'] = { get: { requestBody: {}, responses: { 204: {} } } }
    const { runs } = JSON.parse(sarifReport(await linted(document)))
    expect(runs[0].results.length).toBeGreaterThan(3)
    for (const { ruleId, ruleIndex } of runs[0].results) expect(rules[ruleIndex]?.code).toBe(ruleId)
  })
})

describe('a report as JUnit', () => {
  it('has a suite for each file, and a case for each rule that the file breaks', () => {
    const broken = {
      ...report,
      sources: ['api/my api.yaml', 'good.yaml'],
      findings: [finding, { ...finding, line: 8, message: 'a < "b"' }, declared],
    }
    expect(junitReport(broken).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="nomen lint" tests="4" failures="1" skipped="1">',
      '  <testsuite name="api/my api.yaml" tests="2" failures="1" skipped="1">',
      '    <testcase name="plural-path-segment" classname="api/my api.yaml"><failure type="plural-path-segment" message="The segment &quot;users&quot; of /users is plural. And 1 more.">4:3 The segment &quot;users&quot; of /users is plural. Rename it to &quot;user&quot;.',
      '8:3 a &lt; &quot;b&quot; Rename it to &quot;user&quot;.</failure></testcase>',
      '    <testcase name="plural-path-segment (exception)" classname="api/my api.yaml"><skipped message="9:3 The segment &quot;users&quot; of /users is plural. Rename it to &quot;user&quot;. Exception: Older than the conventions."/></testcase>',
      '  </testsuite>',
      '  <testsuite name="good.yaml" tests="1" failures="0" skipped="0">',
      '    <testcase name="nomen lint" classname="good.yaml"/>',
      '  </testsuite>',
      '  <testsuite name="service.ts" tests="1" failures="0" skipped="0">',
      '    <testcase name="plural-path-segment" classname="service.ts"><system-out>/directory/users.list The segment &quot;users&quot; of /users is plural. Rename it to &quot;user&quot;.</system-out></testcase>',
      '  </testsuite>',
      '</testsuites>',
    ])
  })
})

describe('merged reports', () => {
  const unused = { ...finding, code: 'unused-ignore', file: exception.file, pointer: exception.pointer } as const

  it('have all findings by file, and shared findings once', () => {
    const other = { ...report, sources: ['a.yaml'], findings: [{ ...finding, file: 'a.yaml' }, finding] }
    const merged = mergedReport([report, other])
    expect(merged.sources).toEqual(['api/my api.yaml', 'a.yaml'])
    expect(merged.findings.map(({ file }) => file)).toEqual(['a.yaml', 'api/my api.yaml', 'service.ts'])
    expect([merged.ignored.length, merged.numberOfOperations]).toEqual([1, 2468])
  })

  it('report an exception as unused only if no report needs it', () => {
    const idle = { ...empty, findings: [unused] }
    expect(mergedReport([idle, empty]).findings).toEqual([unused])
    expect(mergedReport([idle, report]).findings).toEqual(report.findings)
  })
})
