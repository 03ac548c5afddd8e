// The command as a person meets it: what it says, and how it ends.
import { once } from 'node:events'
import { accessSync, constants, existsSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ask } from './ask.ts'
import { serviceFolder, temporaryFolder } from './folder.ts'
import { type Ended, hasConsole, nomen, root, serve, until } from './nomen.ts'

const noteService = `
  import { api, identity, noun, resource, text } from '@nomen/core'
  import { service } from '@nomen/server'
  const note = noun('note', { id: identity(), title: text() })
  const notes = api('notes', { versioning: 'per-noun', writes: 'nested', resources: [resource(note)] })
  export default service({ name: 'notes', apis: [notes] })
`

/** Fails with this exit code, in words on standard error and nothing else: no stack, no output. */
function expectFailure({ code, output, errors }: Ended, exitCode: number, message: string): void {
  expect(errors).toBe(`nomen: ${message}\n`)
  expect([code, output]).toEqual([exitCode, ''])
}

/** A port that something listens on. */
async function takenPort(port = 0): Promise<number> {
  const server = createServer()
  onTestFinished(() => void server.close())
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

describe('nomen', () => {
  it('is the command that the package brings along', () => {
    expect(() => accessSync(join(root, 'node_modules/.bin/nomen'), constants.X_OK)).not.toThrow()
  })

  it('says what it can do, with --help and without anything', async () => {
    const [bare, ...others] = await Promise.all([nomen([]), nomen(['--help']), nomen(['-h']), nomen(['help'])])
    expect(bare).toMatchObject({ code: 0, errors: '' })
    expect(bare.output).toMatch(/^nomen makes REST conventions executable/)
    for (const command of ['new', 'serve', 'migrate', 'openapi', 'load', 'export', 'diff', 'check', 'completion'])
      expect(bare.output).toMatch(new RegExp(`^  ${command} +\\S`, 'm'))
    for (const other of others) expect(other).toEqual(bare)
  })

  it('says of each command what it takes', async () => {
    const [served, migrated] = await Promise.all([nomen(['serve', '--help']), nomen(['migrate', '-h'])])
    expect([served.code, served.errors, migrated.code, migrated.errors]).toEqual([0, '', 0, ''])
    expect(served.output).toMatch(/^Usage: nomen serve \[/)
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
      expect(served.output).toMatch(new RegExp(`^  --${flag} <\\w+> +(?:.|\\n {8})*?\\(${environment}\\)$`, 'm'))
    for (const usual of ['3000 ', '127.0.0.1 ', 'sqlite:data/<service>.db ', 'data/access.log ', '1048576 '])
      expect(served.output).toContain(`${usual}unless given`)
    expect(served.output).toMatch(/^ {2}--allow-anonymous +\S/m)
    expect(migrated.output).toMatch(/^Usage: nomen migrate \[/)
    for (const flag of ['plan', 'apply']) expect(migrated.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
    expect(migrated.output).toMatch(/^ {2}--database <address> +.*\(DATABASE_URL\)$/m)
    const [loaded, exported] = await Promise.all([nomen(['load', '--help']), nomen(['export', '-h'])])
    expect([loaded.code, loaded.errors, exported.code, exported.errors]).toEqual([0, '', 0, ''])
    expect(loaded.output).toMatch(/^Usage: nomen load <noun or link> <file> \[/)
    for (const flag of ['database <address>', 'update', 'rejects <file>', 'format <name>', 'again'])
      expect(loaded.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
    expect(exported.output).toMatch(/^Usage: nomen export <noun or link> \[file\] \[/)
    for (const flag of ['database <address>', 'format <name>'])
      expect(exported.output).toMatch(new RegExp(`^  --${flag} +\\S`, 'm'))
  })

  it('called wrongly says what was meant, and exits with 2', async () => {
    const [command, unknown, flag, other, value, migrate, both] = await Promise.all([
      nomen(['serv']),
      nomen(['zzz']),
      nomen(['serve', 'apps/directory', '--prot', '1']),
      nomen(['migrate', '--plam']),
      nomen(['serve', '--port']),
      nomen(['migrate', 'apps/directory']),
      nomen(['migrate', 'apps/directory', '--plan', '--apply']),
    ])
    expectFailure(command, 2, 'There is no command "serv". Did you mean "serve"?\n  nomen --help lists them.')
    expectFailure(unknown, 2, 'There is no command "zzz".\n  nomen --help lists them.')
    expectFailure(flag, 2, 'There is no flag --prot. Did you mean --port?\n  --help lists them.')
    expectFailure(other, 2, 'There is no flag --plam. Did you mean --plan?\n  --help lists them.')
    expectFailure(value, 2, '--port needs a value.\n  Give it as --port <number>.')
    const choose = 'nomen migrate needs one of --plan, --apply and --adopt.\n  --plan changes nothing: begin with it.'
    expectFailure(migrate, 2, choose)
    expectFailure(both, 2, choose)
  })

  it('refuses numbers that are none, and makes nothing', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const port = (text: string) => `--port is "${text}".\n  Give a whole number from 0 to 65535.`
    const given = ['x', '65536', '-1', '1.5', '1e3', ' 80']
    const ended = await Promise.all(given.map((text) => nomen(['serve', `--port=${text}`], { folder })))
    ended.forEach((one, at) => {
      expectFailure(one, 2, port(`${given[at]}`))
    })
    const limit = await nomen(['serve', '--body-limit', '1MB', '--port', '0'], { folder })
    expectFailure(limit, 2, '--body-limit is "1MB".\n  Give a whole number from 1 to 9007199254740991.')
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })
})

describe('a service file', () => {
  it('that is missing is told, with 2', async () => {
    const folder = temporaryFolder()
    const fix =
      'Name one, such as path/to/service.ts, which exports service({ name, apis }) as its default. nomen new begins a project.'
    const [here, there, plan] = await Promise.all([
      nomen(['serve'], { folder }),
      nomen(['serve', 'no/where.ts'], { folder }),
      nomen(['migrate', '--plan'], { folder }),
    ])
    expectFailure(here, 2, `There is no service.ts here.\n  ${fix}`)
    expectFailure(there, 2, `There is no service file at no/where.ts.\n  ${fix}`)
    expectFailure(plan, 2, `There is no service.ts here.\n  ${fix}`)
  })

  it('that is no TypeScript is told with its line, also where there is no package.json', async () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'service.ts'), 'export default {\n')
    const { code, errors } = await nomen(['openapi'], { folder })
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^nomen: service\.ts cannot be loaded\. SyntaxError: .*\n {2}See service\.ts:1\.\n$/),
    ])
  })

  it('of a package that is CommonJS by its own word is told what to change there, with 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'package.json': '{ "type": "commonjs" }' })
    const { code, errors } = await nomen(['serve', '--port', '0'], { folder })
    const message = 'service.ts has import and export, and package.json says "type": "commonjs".'
    expect(errors).toContain(`nomen: ${message}\n  Write "type": "module" there.\n`)
    expect(code).toBe(1)
  })

  it('that exports no service is told, with 1', async () => {
    const folder = serviceFolder({
      'empty/service.ts': 'export const nothing = 1\n',
      'number.ts': 'export default 7\n',
      'null.ts': 'export default null\n',
    })
    const fix = "Write: export default service({ name: 'directory', apis: [directory] })"
    const [empty, number, nothing] = await Promise.all(
      ['empty', 'number.ts', 'null.ts'].map((file) => nomen(['serve', file, '--port', '0'], { folder })),
    )
    expectFailure(empty as Ended, 1, `empty/service.ts has no service as its default export.\n  ${fix}`)
    expectFailure(number as Ended, 1, `number.ts has no service as its default export.\n  ${fix}`)
    expectFailure(nothing as Ended, 1, `null.ts has no service as its default export.\n  ${fix}`)
  })

  it.each([
    [
      "noun('note'",
      "noun('notes'",
      /^nomen: noun "notes": a noun is singular .*\n {2}Fix: name it "note", .*\n {2}At service.ts:4:16\n$/,
    ],
    [
      "noun('note'",
      "noun('costCenter'",
      /^nomen: noun "costCenter": .* kebab-case\.\n {2}Fix: .*\n {2}At service.ts:4:16\n$/,
    ],
    [
      "noun('note'",
      "noun('health'",
      /^nomen: api "notes", resource "health": .*\n {2}Fix: choose another .*\n {2}At service.ts:5:17\n$/,
    ],
    ['title:', 'noteTitle:', /^nomen: noun "note".*"noteTitle".*\n {2}Fix: .*"title".*\n {2}At service.ts:4:16\n$/],
    ['id: identity(), ', '', /^nomen: noun "note": has no identity\.\n {2}Fix: declare .*\n {2}At service.ts:4:16\n$/],
  ])('with %s changed to %s is refused by noun, rule and fix, with 1', async (right, wrong, message) => {
    const folder = serviceFolder({ 'service.ts': noteService.replace(right, wrong) })
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(message)
    expect(existsSync(join(folder, 'data'))).toBe(false)
  })

  it('that cannot be read is told with the place of the fault', async () => {
    const folder = serviceFolder({ 'service.ts': 'export default {{\n' })
    const { code, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect(code).toBe(1)
    expect(errors).toContain('service.ts')
  })
})

describe('nomen serve', () => {
  it('serves service.ts of its folder into data/, and says where', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const served = await serve([], { folder })
    expect(served.said()).toBe(
      [
        `notes is served at ${served.base}`,
        `  try         curl '${served.base}/note?pageSize=2'`,
        ...(hasConsole ? [`  console     ${served.base}/console`] : []),
        `  docs        ${served.base}/docs`,
        '  database    sqlite:data/notes.db, made now',
        '  access log  data/access.log',
        'Stop with Ctrl+C.',
        '',
      ].join('\n'),
    )
    expect(new URL(served.base).hostname).toBe('127.0.0.1')
    expect((await ask(`${served.base}/note?pageSize=2`)).status).toBe(200)
    expect(existsSync(join(folder, 'data/notes.db'))).toBe(true)
    await until(() => existsSync(join(folder, 'data/access.log')), 5000, 'there is an access log')
  })

  it('takes a file or its folder by path', async () => {
    const folder = serviceFolder({ 'there/service.ts': noteService, 'there/other.ts': noteService })
    const given = ['there', 'there/other.ts', './there/service.ts']
    const all = await Promise.all(given.map((path) => serve([path, '--database', 'sqlite::memory:'], { folder })))
    for (const { base } of all) expect((await ask(`${base}/note`)).status).toBe(200)
  })

  it('on a port that is taken says so, with 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const port = await takenPort()
    const ended = await nomen(['serve', '--port', `${port}`], { folder })
    expectFailure(ended, 1, `Port ${port} is taken.\n  Give another with --port or PORT; 0 takes a free one.`)
  })

  it('without a port takes 3000', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    // Whoever has it already, it is taken.
    await takenPort(3000).catch(() => undefined)
    const ended = await nomen(['serve'], { folder })
    expectFailure(ended, 1, 'Port 3000 is taken.\n  Give another with --port or PORT; 0 takes a free one.')
  })

  it('on an address that is not of this machine says so, with 1', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const ended = await nomen(['serve', '--host', '203.0.113.7', '--allow-anonymous', '--port', '0'], { folder })
    expectFailure(ended, 1, '203.0.113.7 is no address of this machine.\n  Give another with --host or HOST.')
  })

  it('on an address that others can reach is refused unless it is allowed', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const refused = await Promise.all([
      nomen(['serve', '--host', '0.0.0.0', '--port', '0'], { folder }),
      nomen(['serve', '--port', '0'], { folder, environment: { HOST: '0.0.0.0' } }),
    ])
    for (const one of refused)
      expectFailure(
        one,
        1,
        'Others can reach 0.0.0.0, and requests are not authenticated: anyone could change everything.\n' +
          '  Ask for tokens with --auth jwt, serve on 127.0.0.1, or say --allow-anonymous.',
      )
    expect(existsSync(join(folder, 'data'))).toBe(false)
    const served = await serve(['--host', '0.0.0.0', '--allow-anonymous'], { folder })
    const url = `http://127.0.0.1:${served.port}/note`
    // Where everyone is let in, no host name is foreign.
    expect((await ask(url, { headers: { host: 'example.com' } })).status).toBe(200)
  })

  it('on this machine alone refuses requests for another host', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const served = await serve(['--host', 'localhost'], { folder })
    const url = `http://localhost:${served.port}/note`
    const foreign = await ask(url, { headers: { host: 'example.com' } })
    expect([foreign.status, foreign.json()]).toMatchObject([403, { code: 'foreign-host' }])
    expect((await ask(url)).status).toBe(200)
  })

  it('takes flags before the environment, and the environment before what is usual', async () => {
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
    expect(byEnvironment.said()).toContain(
      '  database    sqlite:by/environment.db, made now\n  access log  by/environment.log\n',
    )
    const post = (base: string, length: number) =>
      ask(`${base}/note`, { method: 'POST', body: { title: 'x'.repeat(length - '{"title":""}'.length) } })
    expect((await post(byEnvironment.base, 30)).status).toBe(201)
    expect((await post(byEnvironment.base, 31)).status).toBe(413)
    for (const file of ['environment.db', 'environment.log'])
      await until(() => existsSync(join(folder, 'by', file)), 5000, `${file} is there`)
    expect(existsSync(join(folder, 'data'))).toBe(false)

    const flags = ['--port=0', '--host', '127.0.0.1', '--database', 'sqlite:by/flag.db', '--access-log=by/flag.log']
    const byFlag = await serve([...flags, '--body-limit', '40'], { folder, environment: { ...environment, PORT: 'x' } })
    expect(new URL(byFlag.base).hostname).toBe('127.0.0.1')
    expect(byFlag.said()).toContain('  database    sqlite:by/flag.db, made now\n  access log  by/flag.log\n')
    expect((await post(byFlag.base, 40)).status).toBe(201)
    expect((await post(byFlag.base, 41)).status).toBe(413)
    for (const file of ['flag.db', 'flag.log'])
      await until(() => existsSync(join(folder, 'by', file)), 5000, `${file} is there`)
  })

  it('takes a variable that is empty for one that is not there', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const served = await serve(['--port', '0'], { folder, environment: { HOST: '', DATABASE_URL: '', BODY_LIMIT: '' } })
    expect(new URL(served.base).hostname).toBe('127.0.0.1')
    expect(existsSync(join(folder, 'data/notes.db'))).toBe(true)
  })

  it('names the variable where it is the environment that is wrong', async () => {
    const folder = serviceFolder({ 'service.ts': noteService })
    const { code, errors } = await nomen(['serve'], { folder, environment: { PORT: 'http' } })
    expect(code).toBe(2)
    expect(errors).toMatch(/^nomen: .*PORT.* is "http"\.\n {2}Give a whole number from 0 to 65535\.\n$/)
  })

  it.each(['mysql://localhost/notes', 'notes.db', 'sqlite:'])(
    'tells of a database address that it cannot open, %s, with 1 or 2 and no stack',
    async (address) => {
      const folder = serviceFolder({ 'service.ts': noteService })
      const { code, errors } = await nomen(['serve', '--port', '0', '--database', address], { folder })
      expect([1, 2]).toContain(code)
      expect(errors).toMatch(/^nomen: The database ".*" cannot be opened\..*sqlite:path\/to\/file\.db/s)
      expect(errors).not.toMatch(/^ +at /m)
    },
  )

  it('tells of a database file that is none, with 1 and no stack', async () => {
    const folder = serviceFolder({ 'service.ts': noteService, 'data/notes.db': 'no database '.repeat(100) })
    const { code, output, errors } = await nomen(['serve', '--port', '0'], { folder })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toMatch(/^nomen: .*data\/notes\.db/)
    expect(errors).not.toMatch(/^ +at /m)
  })

  it('tells of a wrong SAMPLE_USERS of the directory, with 1', async () => {
    const environment = { SAMPLE_USERS: 'many' }
    const flags = ['--port', '0', '--database', 'sqlite::memory:', '--access-log', '-']
    const { code, output, errors } = await nomen(['serve', 'apps/directory', ...flags], { environment })
    expect([code, output]).toEqual([1, ''])
    expect(errors).toContain('SAMPLE_USERS is "many". Give a whole number from 0')
  })
})
