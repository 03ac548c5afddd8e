// The command as a process: its output and exit codes.
import { once } from 'node:events'
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serviceFolder, temporaryFolder } from './folder.ts'
import { type CommandResult, nomen, root, serve, waitUntil } from './nomen.ts'
import { sendRequest } from './send-request.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

/** Expects this exit code and this message on standard error, without a stack or other output. */
function expectFailure({ code, output, errors }: CommandResult, exitCode: number, message: string): void {
  expect(errors).toBe(`nomen: ${message}\n`)
  expect([code, output]).toEqual([exitCode, ''])
}

/** A port that is in use. */
async function usedPort(port = 0): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('nomen', () => {
  it('is the command of the package', () => {
    expect(() => accessSync(join(root, 'node_modules/.bin/nomen'), constants.X_OK)).not.toThrow()
  })

  it('prints help with --help and without arguments', async () => {
    const [withoutArguments, ...helpOutputs] = await Promise.all([
      nomen([]),
      nomen(['--help']),
      nomen(['-h']),
      nomen(['help']),
    ])
    expect(withoutArguments).toMatchObject({ code: 0, errors: '' })
    expect(withoutArguments.output).toMatch(/^Nomen turns TypeScript declarations into REST services/)
    for (const command of ['new', 'serve', 'migrate', 'openapi', 'load', 'export', 'diff', 'check', 'completion'])
      expect(withoutArguments.output).toMatch(new RegExp(`^  ${command} +\\S`, 'm'))
    for (const result of helpOutputs) expect(result).toEqual(withoutArguments)
  })

  it('prints the flags of each command', async () => {
    const [serveHelp, migrateHelp] = await Promise.all([nomen(['serve', '--help']), nomen(['migrate', '-h'])])
    expect([serveHelp.code, serveHelp.errors, migrateHelp.code, migrateHelp.errors]).toEqual([0, '', 0, ''])
    expect(serveHelp.output).toMatch(/^Usage: nomen serve \[/)
    for (const [flag, environment] of [
      ['port', 'PORT'],
      ['host', 'HOST'],
      ['database', 'DATABASE_URL'],
      ['access-log', 'ACCESS_LOG'],
      ['body-limit', 'BODY_LIMIT'],
      ['list-limit', 'LIST_LIMIT'],
      ['workers', 'WORKERS'],
      ['jwt-issuer', 'JWT_ISSUER'],
      ['trust-proxy', 'TRUST_PROXY'],
    ])
      expect(serveHelp.output).toMatch(new RegExp(`^  --${flag} <\\w+> +(?:.|\\n {8})*?\\(${environment}\\)$`, 'm'))
    const help = serveHelp.output.replace(/\s+/g, ' ')
    for (const defaultValue of ['3000', '127.0.0.1', 'sqlite:data/<service>.db', 'data/access.log', '1048576'])
      expect(help).toContain(`(default: ${defaultValue})`)
    expect(serveHelp.output).toMatch(/^ {2}--allow-anonymous +\S/m)
    expect(migrateHelp.output).toMatch(/^Usage: nomen migrate \[/)
    for (const flag of ['plan', 'apply']) expect(migrateHelp.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
    expect(migrateHelp.output).toMatch(/^ {2}--database <URL> +(?:.|\n {8})*?\(DATABASE_URL\)$/m)
    const [loaded, exported] = await Promise.all([nomen(['load', '--help']), nomen(['export', '-h'])])
    expect([loaded.code, loaded.errors, exported.code, exported.errors]).toEqual([0, '', 0, ''])
    expect(loaded.output).toMatch(/^Usage: nomen load <noun or link> <file> \[/)
    for (const flag of ['database <URL>', 'update', 'rejects <file>', 'format <name>', 'again'])
      expect(loaded.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
    expect(exported.output).toMatch(/^Usage: nomen export <noun or link> \[file\] \[/)
    for (const flag of ['database <URL>', 'format <name>'])
      expect(exported.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
  })

  it('suggests a correction for wrong arguments, and exits with 2', async () => {
    const [command, unknown, flag, migrateFlag, value, migrate, both] = await Promise.all([
      nomen(['serv']),
      nomen(['zzz']),
      nomen(['serve', 'apps/directory', '--prot', '1']),
      nomen(['migrate', '--plam']),
      nomen(['serve', '--port']),
      nomen(['migrate', 'apps/directory']),
      nomen(['migrate', 'apps/directory', '--apply', '--expand']),
    ])
    expectFailure(command, 2, 'Unknown command "serv". Did you mean "serve"?\n  Run "nomen --help" for a list.')
    expectFailure(unknown, 2, 'Unknown command "zzz".\n  Run "nomen --help" for a list.')
    expectFailure(flag, 2, 'Unknown flag --prot. Did you mean --port?\n  --help lists all flags.')
    expectFailure(migrateFlag, 2, 'Unknown flag --plam. Did you mean --plan?\n  --help lists all flags.')
    expectFailure(value, 2, '--port needs a value.\n  Write --port <number>.')
    const actions = 'migrate needs --plan, --apply, --expand, --contract or --adopt.'
    expectFailure(migrate, 2, `${actions}\n  Start with --plan, which changes nothing.`)
    expectFailure(both, 2, '--apply cannot be combined with --expand.\n  Use one of them.')
  })

  it('rejects invalid numbers, and creates no files', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const port = (text: string) => `--port must be a whole number from 0 to 65535, but is "${text}".`
    const texts = ['x', '65536', '-1', '1.5', '1e3', ' 80']
    const results = await Promise.all(texts.map((text) => nomen(['serve', `--port=${text}`], { folder })))
    results.forEach((result, index) => {
      expectFailure(result, 2, port(`${texts[index]}`))
    })
    const limit = await nomen(['serve', '--body-limit', '1MB', '--port', '0'], { folder })
    expectFailure(limit, 2, '--body-limit must be a whole number from 1 to 9007199254740991, but is "1MB".')
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('a service file', () => {
  it('that does not exist is reported, with exit code 2', async () => {
    const folder = temporaryFolder()
    const fix = 'Pass the path of a service file, such as path/to/service.ts, or create a project with nomen new.'
    const [here, there, plan] = await Promise.all([
      nomen(['serve'], { folder }),
      nomen(['serve', 'no/where.ts'], { folder }),
      nomen(['migrate', '--plan'], { folder }),
    ])
    expectFailure(here, 2, `service.ts was not found in this folder.\n  ${fix}`)
    expectFailure(there, 2, `Service file not found: no/where.ts.\n  ${fix}`)
    expectFailure(plan, 2, `service.ts was not found in this folder.\n  ${fix}`)
  })

  it('with a syntax error is reported with its line, with or without a package.json', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'service.ts'), 'export default {\n')
    const { code, errors } = await nomen(['openapi'], { folder })
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^nomen: service\.ts cannot be loaded\. SyntaxError: .*\n {2}See service\.ts:1\.\n$/),
    ])
  })

  it('in a CommonJS package is reported with the fix, with exit code 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'package.json': '{ "type": "commonjs" }' })
    const { code, errors } = await nomen(['serve', '--port', '0'], { folder })
    const message = 'service.ts uses import and export, but package.json has "type": "commonjs".'
    expect(errors).toContain(`nomen: ${message}\n  Write "type": "module" in package.json.\n`)
    expect(code).toBe(1)
  })

  it('without a service as default export is reported, with exit code 1', async () => {
    const folder = serviceFolder({
      'empty/service.ts': 'export const nothing = 1\n',
      'number.ts': 'export default 7\n',
      'null.ts': 'export default null\n',
    })
    const fix = "Write: export default service({ name: 'directory', apis: [directory] })"
    const [empty, number, nothing] = await Promise.all(
      ['empty', 'number.ts', 'null.ts'].map((file) => nomen(['serve', file, '--port', '0'], { folder })),
    )
    expectFailure(empty as CommandResult, 1, `The default export of empty/service.ts is not a service.\n  ${fix}`)
    expectFailure(number as CommandResult, 1, `The default export of number.ts is not a service.\n  ${fix}`)
    expectFailure(nothing as CommandResult, 1, `The default export of null.ts is not a service.\n  ${fix}`)
  })

  it.each([
    [
      "noun('note'",
      "noun('notes'",
      /^nomen: noun "notes": .* must be singular\.\n {2}Fix: rename it to "note", .*\n {2}At service.ts:4:16\n$/,
    ],
    [
      "noun('note'",
      "noun('costCenter'",
      /^nomen: noun "costCenter": .* kebab-case\.\n {2}Fix: .*\n {2}At service.ts:4:16\n$/,
    ],
    [
      "noun('note'",
      "noun('health'",
      /^nomen: api "notes", resource "health": .*\n {2}Fix: rename .*\n {2}At service.ts:5:17\n$/,
    ],
    ['title:', 'noteTitle:', /^nomen: noun "note".*"noteTitle".*\n {2}Fix: .*"title".*\n {2}At service.ts:4:\d+\n$/],
    ['id: identity(), ', '', /^nomen: noun "note": it has no identity.*\n {2}Fix: .*\n {2}At service.ts:4:16\n$/],
  ])(
    'with %s changed to %s is rejected with the noun, the rule and the fix, with exit code 1',
    async (right, wrong, message) => {
      const folder = serviceFolder({ 'service.ts': noteService.replace(right, wrong) })
      const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
      expect([code, output]).toEqual([1, ''])
      expect(errors).toMatch(message)
      expect(existsSync(join(folder, 'data'))).toBe(false)
    },
  )

  it('that cannot be read is reported with the location of the error', async () => {
    const folder = serviceFolder({ 'service.ts': 'export default {{\n' })
    const { code, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect(code).toBe(1)
    expect(errors).toContain('service.ts')
  })
})

describe('nomen serve', () => {
  it('serves service.ts of the folder, stores data in data/, and prints the paths', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const server = await serve([], { folder })
    expect(server.stdout()).toBe(
      [
        `notes is running at ${server.base}`,
        `  try         curl '${server.base}/note?pageSize=2'`,
        `  console     ${server.base}/console`,
        `  docs        ${server.base}/docs`,
        '  database    sqlite:data/notes.db, created',
        '  access log  data/access.log',
        'Stop with Ctrl+C.',
        '',
      ].join('\n'),
    )
    expect(new URL(server.base).hostname).toBe('127.0.0.1')
    expect((await sendRequest(`${server.base}/note?pageSize=2`)).status).toBe(200)
    expect(existsSync(join(folder, 'data/notes.db'))).toBe(true)
    await waitUntil(() => existsSync(join(folder, 'data/access.log')), 5000, 'the access log exists')
  })

  it('accepts the path of a file or of its folder', async () => {
    const folder = serviceFolder({ 'there/service.ts': noteService, 'there/other.ts': noteService })
    const paths = ['there', 'there/other.ts', './there/service.ts']
    const servers = await Promise.all(paths.map((path) => serve([path, '--database', 'sqlite::memory:'], { folder })))
    for (const { base } of servers) expect((await sendRequest(`${base}/note`)).status).toBe(200)
  })

  it('reports a port that is in use, with exit code 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const port = await usedPort()
    const result = await nomen(['serve', '--port', `${port}`], { folder })
    expectFailure(
      result,
      1,
      `Port ${port} is already in use.\n  Choose another with --port or PORT; 0 selects a free port.`,
    )
  })

  it('uses port 3000 by default', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    // Another process may use the port; in both cases it is in use.
    await usedPort(3000).catch(() => undefined)
    const result = await nomen(['serve'], { folder })
    expectFailure(
      result,
      1,
      'Port 3000 is already in use.\n  Choose another with --port or PORT; 0 selects a free port.',
    )
  })

  it('reports an address that is not of this machine, with exit code 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const result = await nomen(['serve', '--host', '203.0.113.7', '--allow-anonymous', '--port', '0'], { folder })
    expectFailure(result, 1, '203.0.113.7 is not an address of this machine.\n  Choose another with --host or HOST.')
  })

  it('rejects an address that other machines can reach, unless it is allowed', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const rejected = await Promise.all([
      nomen(['serve', '--host', '0.0.0.0', '--port', '0'], { folder }),
      nomen(['serve', '--port', '0'], { folder, environment: { HOST: '0.0.0.0' } }),
    ])
    for (const result of rejected)
      expectFailure(
        result,
        1,
        'Other machines can reach 0.0.0.0, and requests are not authenticated: anyone could change all data.\n' +
          '  Require tokens with --auth jwt, listen on 127.0.0.1, or add --allow-anonymous.',
      )
    expect(existsSync(join(folder, 'data'))).toBe(false)
    const server = await serve(['--host', '0.0.0.0', '--allow-anonymous'], { folder })
    const url = `http://127.0.0.1:${server.port}/note`
    // With --allow-anonymous, all host names are accepted.
    expect((await sendRequest(url, { headers: { host: 'example.com' } })).status).toBe(200)
  })

  it('on a loopback address rejects requests for another host', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const server = await serve(['--host', 'localhost'], { folder })
    const url = `http://localhost:${server.port}/note`
    const foreign = await sendRequest(url, { headers: { host: 'example.com' } })
    expect([foreign.status, foreign.json()]).toMatchObject([403, { code: 'foreign-host' }])
    expect((await sendRequest(url)).status).toBe(200)
  })

  it('prefers flags to the environment, and the environment to defaults', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const environment = {
      PORT: '0',
      HOST: '127.0.0.2',
      DATABASE_URL: 'sqlite:by/environment.db',
      ACCESS_LOG: 'by/environment.log',
      BODY_LIMIT: '30',
    }
    const byEnvironment = await serve([], { folder, environment })
    expect(new URL(byEnvironment.base).hostname).toBe('127.0.0.2')
    expect(byEnvironment.stdout()).toContain(
      '  database    sqlite:by/environment.db, created\n  access log  by/environment.log\n',
    )
    const post = (base: string, length: number) =>
      sendRequest(`${base}/note`, { method: 'POST', body: { title: 'x'.repeat(length - '{"title":""}'.length) } })
    expect((await post(byEnvironment.base, 30)).status).toBe(201)
    expect((await post(byEnvironment.base, 31)).status).toBe(413)
    for (const file of ['environment.db', 'environment.log'])
      await waitUntil(() => existsSync(join(folder, 'by', file)), 5000, `${file} is there`)
    expect(existsSync(join(folder, 'data'))).toBe(false)

    const flags = ['--port=0', '--host', '127.0.0.1', '--database', 'sqlite:by/flag.db', '--access-log=by/flag.log']
    const byFlag = await serve([...flags, '--body-limit', '40'], { folder, environment: { ...environment, PORT: 'x' } })
    expect(new URL(byFlag.base).hostname).toBe('127.0.0.1')
    expect(byFlag.stdout()).toContain('  database    sqlite:by/flag.db, created\n  access log  by/flag.log\n')
    expect((await post(byFlag.base, 40)).status).toBe(201)
    expect((await post(byFlag.base, 41)).status).toBe(413)
    for (const file of ['flag.db', 'flag.log'])
      await waitUntil(() => existsSync(join(folder, 'by', file)), 5000, `${file} is there`)
  })

  it('ignores an empty variable', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const server = await serve(['--port', '0'], { folder, environment: { HOST: '', DATABASE_URL: '', BODY_LIMIT: '' } })
    expect(new URL(server.base).hostname).toBe('127.0.0.1')
    expect(existsSync(join(folder, 'data/notes.db'))).toBe(true)
  })

  it('reports the name of an invalid variable', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const { code, errors } = await nomen(['serve'], { folder, environment: { PORT: 'http' } })
    expect(code).toBe(2)
    expect(errors).toMatch(/^nomen: PORT must be a whole number from 0 to 65535, but is "http"\.\n$/)
  })

  it.each(['mysql://localhost/notes', 'notes.db', 'sqlite:'])(
    'reports a database URL that it cannot open, %s, with exit code 1 or 2 and without a stack',
    async (address) => {
      const folder = serviceFolder({ 'service.ts': noteService })
      const { code, errors } = await nomen(['serve', '--port', '0', '--database', address], { folder })
      expect([1, 2]).toContain(code)
      expect(errors).toMatch(/^nomen: The database ".*" cannot be opened\..*sqlite:path\/to\/file\.db/s)
      expect(errors).not.toMatch(/^ +at /m)
    },
  )

  it('reports a file that is not a database, with exit code 1 and without a stack', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'data/notes.db': 'no database '.repeat(100) })
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: .*data\/notes\.db/)
    expect(errors).not.toMatch(/^ +at /m)
  })

  it('reports an invalid SAMPLE_USERS of the directory, with exit code 1', async () => {
    const environment = { SAMPLE_USERS: 'many' }
    const flags = ['--port', '0', '--database', 'sqlite::memory:', '--access-log', '-']
    const { code, output, errors } = await nomen(['serve', 'apps/directory', ...flags], { environment })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain('SAMPLE_USERS must be a whole number from 0 to 999999999, but is "many".')
  })
})
