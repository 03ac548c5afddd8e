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
  fix: 'Call it "user".',
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
        '  4:3  error    The segment "users" of /users is plural. Call it "user".  plural-path-segment',
        '',
        'service.ts',
        '  /directory/users.list  warning  The segment "users" of /users is plural. Call it "user".  plural-path-segment',
        '',
        '1,234 operations: 1 error, 1 warning, 1 ignored.',
        'nomen lint --explain plural-path-segment explains the first of them.',
      ].join('\n'),
    )
  })

  it('says of how many documents it is', () => {
    expect(humanReport({ ...report, sources: ['a.yaml', 'b.yaml'] })).toContain(
      '1,234 operations in 2 documents: 1 error',
    )
  })

  it('has colours only where they are wanted', () => {
    expect(humanReport(report, { isColoured: true })).toContain('\u001b[31merror')
    expect(humanReport(report)).not.toContain('\u001b')
  })

  it('may be of any length', () => {
    const lines = humanReport({ ...report, findings: Array.from({ length: 200_000 }, () => finding) }).split('\n')
    expect([lines.length, lines.at(-2)]).toEqual([200_004, '1,234 operations: 200,000 errors, 0 warnings, 1 ignored.'])
  })

  it('cannot be steered by what a document says', () => {
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
    const given = { ...report, findings: [{ ...finding, file: 'a,b:c.yaml', message: '50%\n::error::x' }, declared] }
    expect(githubReport(given).split('\n')).toEqual([
      '::error file=a%2Cb%3Ac.yaml,line=4,col=3,title=plural-path-segment::50%25\\u000a::error::x Call it "user". See nomen lint --explain plural-path-segment',
      '::warning file=service.ts,title=plural-path-segment::/directory/users.list: The segment "users" of /users is plural. Call it "user". See nomen lint --explain plural-path-segment',
    ])
  })

  it('is empty where there is nothing to tell', () => {
    expect(githubReport(empty)).toBe('')
  })
})

describe('a report in SARIF', () => {
  const log = JSON.parse(sarifReport(report))
  const [run] = log.runs

  it('is what the schema of SARIF demands, whatever is found', async () => {
    const ajv = new Ajv({ strict: false, allErrors: true, unicodeRegExp: false })
    formats.default(ajv)
    // Of draft 04, which differs from later ones in nothing that it uses but these two.
    const { $schema: _, id: __, ...schema } = sarifSchema
    const validate = ajv.compile(schema)
    const document = goodDocument()
    document.paths['/Users/'] = { get: { requestBody: {}, responses: { 204: {} } } }
    document.paths['/roles'] = {
      'x-nomen-ignore': [{ code: 'plural-path-segment', reason: 'Older.' }],
      get: { responses: { 200: {} } },
    }
    const reports = [report, await linted(document), empty]
    for (const one of reports) {
      validate(JSON.parse(sarifReport(one)))
      expect(validate.errors ?? []).toEqual([])
    }
    expect(validate({ ...log, version: '2.0.0' })).toBe(false)
  })

  it('names its version and every rule', () => {
    expect([log.version, log.$schema, log.runs.length]).toEqual([
      '2.1.0',
      'https://json.schemastore.org/sarif-2.1.0.json',
      1,
    ])
    expect(run.tool.driver.rules.map((rule: { id: string }) => rule.id)).toEqual(rules.map(({ code }) => code))
    expect(run.tool.driver.rules[0]).toEqual({
      id: 'plural-path-segment',
      shortDescription: { text: 'A path names its nouns in the singular.' },
      help: {
        text: expect.stringContaining('Bad:\n/users:\n  get: …\n\nGood:\n/user:'),
        markdown: expect.stringContaining('```yaml\n/users:\n  get: …\n```'),
      },
      defaultConfiguration: { level: 'error' },
    })
  })

  it('places each finding, and gives what is ignored with its reason', () => {
    const placed = {
      ruleId: 'plural-path-segment',
      ruleIndex: 0,
      level: 'error',
      message: { text: 'The segment "users" of /users is plural. Call it "user".' },
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
  it('has a suite for each file, and a case for each rule that is broken in it', () => {
    const given = {
      ...report,
      sources: ['api/my api.yaml', 'good.yaml'],
      findings: [finding, { ...finding, line: 8, message: 'a < "b"' }, declared],
    }
    expect(junitReport(given).split('\n')).toEqual([
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites name="nomen lint" tests="4" failures="1" skipped="1">',
      '  <testsuite name="api/my api.yaml" tests="2" failures="1" skipped="1">',
      '    <testcase name="plural-path-segment" classname="api/my api.yaml"><failure type="plural-path-segment" message="The segment &quot;users&quot; of /users is plural. And 1 more.">4:3 The segment &quot;users&quot; of /users is plural. Call it &quot;user&quot;.',
      '8:3 a &lt; &quot;b&quot; Call it &quot;user&quot;.</failure></testcase>',
      '    <testcase name="plural-path-segment (ignored)" classname="api/my api.yaml"><skipped message="9:3 The segment &quot;users&quot; of /users is plural. Call it &quot;user&quot;. Ignored: Older than the conventions."/></testcase>',
      '  </testsuite>',
      '  <testsuite name="good.yaml" tests="1" failures="0" skipped="0">',
      '    <testcase name="nomen lint" classname="good.yaml"/>',
      '  </testsuite>',
      '  <testsuite name="service.ts" tests="1" failures="0" skipped="0">',
      '    <testcase name="plural-path-segment" classname="service.ts"><system-out>/directory/users.list The segment &quot;users&quot; of /users is plural. Call it &quot;user&quot;.</system-out></testcase>',
      '  </testsuite>',
      '</testsuites>',
    ])
  })
})

describe('several reports as one', () => {
  const unused = { ...finding, code: 'unused-ignore', file: exception.file, pointer: exception.pointer } as const

  it('has everything of each, by file, and what they share once', () => {
    const other = { ...report, sources: ['a.yaml'], findings: [{ ...finding, file: 'a.yaml' }, finding] }
    const merged = mergedReport([report, other])
    expect(merged.sources).toEqual(['api/my api.yaml', 'a.yaml'])
    expect(merged.findings.map(({ file }) => file)).toEqual(['a.yaml', 'api/my api.yaml', 'service.ts'])
    expect([merged.ignored.length, merged.numberOfOperations]).toEqual([1, 2468])
  })

  it('finds an exception unused only where nothing in any of them needs it', () => {
    const idle = { ...empty, findings: [unused] }
    expect(mergedReport([idle, empty]).findings).toEqual([unused])
    expect(mergedReport([idle, report]).findings).toEqual(report.findings)
  })
})
