// `nomen check` as a person meets it: what it says of the directory and of a service that is none, and how it ends.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { temporaryFolder } from './folder.ts'
import { nomen, root, serve } from './nomen.ts'

const directory = join(root, 'apps/directory/service.ts')

describe('nomen check', () => {
  it('passes the directory, by what it reads, writes and logs', async () => {
    const place = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '30' } }
    const { base } = await serve([directory, '--database', 'sqlite::memory:', '--access-log', 'access.log'], place)
    const call = ['check', base, '--write', '--strict', '--access-log', 'access.log', '--seed', 'x']
    const ended = await nomen(call, place)
    expect(ended).toMatchObject({ code: 0 })
    expect(ended.output).toMatch(/^directory at http/)
    expect(ended.output).toMatch(
      /\n\d+ passed, 0 failed, 0 not specified, \d+ skipped\n[\d,]+ requests, .*, --seed x\n$/,
    )
  })

  it('is as short as the limit of requests wants it', async () => {
    const place = { folder: temporaryFolder(), environment: { SAMPLE_USERS: '30' } }
    const { base } = await serve([directory, '--database', 'sqlite::memory:', '--access-log', '-'], place)
    const ended = await nomen(['check', base, '--max-requests', '20', '--format', 'json'], place)
    const report = JSON.parse(ended.output)
    expect(report).toMatchObject({ base, title: 'directory', requests: 20, isWriting: false, counts: { failed: 0 } })
    expect(report.seed).toMatch(/^\w+$/)
    expect(ended.code).toBe(0)
  })

  it('tells each failure with a line that shows it, in words and as JUnit', async () => {
    const [base, document] = await wrongService()
    const [words, xml] = await Promise.all([
      nomen(['check', base, '--document', document]),
      nomen(['check', base, '--document', document, '--format', 'junit']),
    ])
    expect(words.code).toBe(1)
    expect(words.output).toContain(
      [
        'failed  envelope  /thing',
        '  A list is pageInfo with its four integers, and results; below a parent it may be a plain array.',
        '  expected  an object with pageInfo and results',
        '  actual    there is no object pageInfo among <items> & "more"',
        `  curl -i '${base}/thing'`,
      ].join('\n'),
    )
    expect(words.output).toContain('Only reads were tried: --write tries the others')
    expect(xml.code).toBe(1)
    expect(xml.output).toContain(
      '<failure type="envelope" message="expected an object with pageInfo and results; there is no object pageInfo among &lt;items&gt; &amp; &quot;more&quot;">',
    )
    expect(xml.output).toMatch(
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<testsuites name="[^"]*" tests="\d+" failures="\d+"/,
    )
  })

  it.each([
    [[], 2, 'nomen check needs the address of a service.'],
    [['ftp://x'], 2, '"ftp://x" is no address.'],
    [['http://127.0.0.1:9', '--format', 'xml'], 2, '--format is "xml".\n  Give text or json or junit.'],
    [['http://127.0.0.1:9', '--max-requests', '0'], 2, '--max-requests is "0".'],
    [['http://127.0.0.1:9', '--versioning', 'no'], 2, '--versioning is "no".'],
    [['http://127.0.0.1:9', '--access-log', '/nowhere/a.log'], 2, '--access-log names /nowhere/a.log'],
    [['http://127.0.0.1:9'], 1, 'Nothing answers at http://127.0.0.1:9/openapi.json'],
    [['--explain', 'pagewalk'], 2, 'There is no check "pagewalk". Did you mean "page-walk"?'],
    [['http://127.0.0.1:9', '--document', 'README.md'], 1, 'README.md cannot be read as an OpenAPI document'],
  ] as const)('says what is wrong with %j', async (given, code, text) => {
    const ended = await nomen(['check', ...given])
    expect(ended.errors).toContain(`nomen: ${text}`)
    expect(ended).toMatchObject({ code, output: '' })
  })
})

describe('docs/check.md', () => {
  it('is named in the README with the number of checks', async () => {
    const { checks } = await import('@nomen/conventions')
    const readme = readFileSync(join(root, 'README.md'), 'utf8')
    expect(readme).toContain(`${Object.keys(checks).length} [checks](docs/check.md)`)
  })

  it('has every check, with what it looks at and why', async () => {
    const { checks } = await import('@nomen/conventions')
    const text = readFileSync(join(root, 'docs/check.md'), 'utf8')
    for (const [code, [what, why]] of Object.entries(checks))
      expect(text).toContain(`| \`${code}\` | ${what} | ${why} |`)
  })
})

/** Answers every request with an object that is no page. */
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
