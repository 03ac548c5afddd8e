// `nomen check` as a process: output and exit code for the directory and for a service that breaks the conventions.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, root, serve } from './nomen.ts'

const directory = join(root, 'apps/directory/service.ts')

describe('nomen check', () => {
  it('passes for the reads, writes and access log of the directory', async () => {
    const options = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '30' } }
    const { base } = await serve([directory, '--database', 'sqlite::memory:', '--access-log', 'access.log'], options)
    const call = ['check', base, '--write', '--strict', '--access-log', 'access.log', '--seed', 'x']
    const result = await nomen(call, options)
    expect(result).toMatchObject({ code: 0 })
    expect(result.output).toMatch(/^directory at http/)
    expect(result.output).toMatch(
      /\n\d+ passed, 0 failed, 0 not specified, \d+ skipped\n[\d,]+ requests, .*, --seed x\n$/,
    )
  })

  it('sends at most as many requests as --max-requests allows', async () => {
    const options = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '30' } }
    const { base } = await serve([directory, '--database', 'sqlite::memory:', '--access-log', '-'], options)
    const result = await nomen(['check', base, '--max-requests', '20', '--format', 'json'], options)
    const report = JSON.parse(result.output)
    expect(report).toMatchObject({ base, title: 'directory', requests: 20, isWriting: false, counts: { failed: 0 } })
    expect(report.seed).toMatch(/^\w+$/)
    expect(result.code).toBe(0)
  })

  it('reports each failure with a line of evidence, as text and as JUnit', async () => {
    const [base, document] = await wrongService()
    const [text, xml] = await Promise.all([
      nomen(['check', base, '--document', document]),
      nomen(['check', base, '--document', document, '--format', 'junit']),
    ])
    expect(text.code).toBe(1)
    expect(text.output).toContain(
      [
        'failed  envelope  /thing',
        '  A list is an object with results, and pageInfo with four integers. Below a parent, it may be a plain array.',
        '  expected  an object with pageInfo and results',
        '  actual    the body has no object pageInfo, but <items> & "more"',
        `  curl -i '${base}/thing'`,
      ].join('\n'),
    )
    expect(text.output).toContain('Only reads were checked. Use --write to check writes.')
    expect(xml.code).toBe(1)
    expect(xml.output).toContain(
      '<failure type="envelope" message="expected an object with pageInfo and results; the body has no object pageInfo, but &lt;items&gt; &amp; &quot;more&quot;">',
    )
    expect(xml.output).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="[^"]*" tests="\d+" failures="\d+"/,
    )
  })

  it.each([
    [[], 2, 'check needs the URL of a service.'],
    [['ftp://x'], 2, '"ftp://x" is not an http or https URL.'],
    [['http://127.0.0.1:9', '--format', 'xml'], 2, '--format must be text, json or junit, but is "xml".'],
    [
      ['http://127.0.0.1:9', '--max-requests', '0'],
      2,
      '--max-requests must be a whole number from 1 to 999999999, but is "0".',
    ],
    [['http://127.0.0.1:9', '--versioning', 'no'], 2, '--versioning must be whole or per-noun, but is "no".'],
    [['http://127.0.0.1:9', '--access-log', '/nowhere/a.log'], 2, '--access-log is /nowhere/a.log'],
    [['http://127.0.0.1:9'], 1, 'No response from http://127.0.0.1:9/openapi.json'],
    [['--explain', 'pagewalk'], 2, 'Unknown check "pagewalk". Did you mean "page-walk"?'],
    [['http://127.0.0.1:9', '--document', 'README.md'], 1, 'README.md cannot be read as an OpenAPI document'],
  ] as const)('reports the error of %j', async (args, code, text) => {
    const result = await nomen(['check', ...args])
    expect(result.errors).toContain(`nomen: ${text}`)
    expect(result).toMatchObject({ code, output: '' })
  })
})

describe('docs/check.md', () => {
  it('is linked in the README with the number of checks', async () => {
    const { checks } = await import('@nomen/conventions')
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    expect(readme).toContain(`${Object.keys(checks).length} [checks](docs/check.md)`)
  })

  it('lists every check with its subject and reason', async () => {
    const { checks } = await import('@nomen/conventions')
    const text = readFileSync(join(root, 'docs/check.md'), 'utf8')
    for (const [code, [what, why]] of Object.entries(checks))
      expect(text).toContain(`| \`${code}\` | ${what} | ${why} |`)
  })
})

/** Responds to every request with an object that is not a page. */
async function wrongService(): Promise<[base: string, document: string]> {
  const body = JSON.stringify({ '<items> & "more"': [] })
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(body)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const document = join(temporaryFolder(), 'openapi.json')
  const paths = { '/thing': { get: {} }, '/thing/{id}': { get: {} } }
  writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info: { title: 'Wrong', version: '1' }, paths }))
  return [`http://127.0.0.1:${(server.address() as AddressInfo).port}`, document]
}
