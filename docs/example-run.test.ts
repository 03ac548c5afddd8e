// Examples of pages that are not whole services: they run here, and have the effect that the page says.
import { createReadStream, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { lintApis } from '@nomen/conventions'
import * as core from '@nomen/core'
import { openapi } from '@nomen/core/openapi'
import { application, department, directory, role, user } from '@nomen/directory'
import { type OpenService, open, type Service, service, visible } from '@nomen/server'
import { type LoadOptions, loadRecords } from '@nomen/server/admin'
import { applicationLog } from '@nomen/server/internal'
import { blocksOf } from '@nomen/testing/markdown/block'
import { examplesOn } from '@nomen/testing/markdown/examples'
import { compare } from '@nomen/testing/markdown/shown'
import { type LoggerOptions, pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'

/** A noun or a link that an example declares. */
type Declared = never

const json = { 'content-type': 'application/json' }
const { api, identity, noun, reference, resource, text } = core

const codeOf = (page: string) => blocksOf(readFileSync(join(import.meta.dirname, page), 'utf8')).map(({ code }) => code)

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'nomen-example-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

async function opened(definition: Service, options: Partial<Parameters<typeof open>[1]> = {}) {
  const app = await open(definition, { database: 'sqlite::memory:', ...options })
  onTestFinished(() => app.close())
  return app
}

/** A service with these nouns. */
function serviceWith(...nouns: readonly unknown[]): Service {
  const resources = nouns.map((one) => resource(one as Declared))
  return service({ name: 'desk', apis: [api('desk', { versioning: 'per-noun', writes: 'nested', resources })] })
}

it('bulk-load.md loads a file, and reports rejected lines', async () => {
  const folder = emptyFolder()
  const database = `sqlite:${join(folder, 'directory.db')}`
  const office = noun('office', { id: identity() })
  const person = noun('user', { id: identity(), office: reference(() => office) })
  const people = serviceWith(office, person)
  const app = await opened(people, { database })
  await app.fetch('http://desk/office', { method: 'POST', headers: json, body: '{}' })
  await app.close()
  writeFileSync(join(folder, 'users.csv'), 'id,office\n1,1\n2,9\n')
  const errors: unknown[][] = []
  const reports: unknown[] = []
  await examplesOn('docs/bulk-load.md')('loadRecords', {
    loadRecords: async (of: Service, options: LoadOptions) => {
      const report = await loadRecords(of, { ...options, database })
      reports.push(report)
      return report
    },
    createReadStream: (name: string) => createReadStream(join(folder, name)),
    service: people,
    console: { error: (...args: unknown[]) => errors.push(args) },
  })
  expect(reports).toMatchObject([{ loaded: 1, rejected: 1 }])
  expect(errors).toEqual([[3, expect.stringContaining('9')]])
})

it('console.md declares shared views', async () => {
  const { directory: views } = await examplesOn('docs/console.md')('savedView', { ...core })
  const app = await opened(service({ name: 'directory', apis: [views as Declared] }))
  const body = JSON.stringify({ name: 'Mine', path: '/user', query: 'email=ada@example.com' })
  expect((await app.fetch('http://desk/saved-view', { method: 'POST', headers: json, body })).status).toBe(201)
})

it('console.md configures the console from code', async () => {
  const folder = emptyFolder()
  writeFileSync(join(folder, 'index.html'), '<h1>Console</h1>')
  let app: Awaited<ReturnType<typeof opened>> | undefined
  await examplesOn('docs/console.md')('consoleSignIn', {
    open: async (of: Service, options: object) => {
      // The keys of the issuer cannot be fetched, which is logged.
      app = await opened(of, {
        ...options,
        console: folder,
        database: 'sqlite::memory:',
        log: pino({ level: 'silent' }),
      })
    },
    service: serviceWith(noun('ticket', { id: identity() })),
  })
  const settings = await (await app?.fetch('http://desk/console/settings.json'))?.json()
  expect(settings).toMatchObject({
    issuer: 'https://login.example.com',
    audience: 'desk',
    clientId: 'desk-console',
    scope: 'openid ticket:read',
  })
})

it('console.md has settings that the console reads', () => {
  const [settings = ''] = codeOf('console.md').filter((code) => code.includes('"documents"'))
  const source = readFileSync(join(import.meta.dirname, '../apps/console/src/state/load.ts'), 'utf8')
  const [, properties = ''] = /export interface Settings \{(.*?)\n\}/s.exec(source) ?? []
  const known = [...properties.matchAll(/readonly (\w+)\?:/g)].map(([, name]) => name)
  expect(known).toEqual(expect.arrayContaining(Object.keys(JSON.parse(settings))))
})

it('declarations.md declares the indexes of the page', async () => {
  const { customer, order } = await examplesOn('docs/declarations.md')('remark: text()', { ...core })
  const path = join(emptyFolder(), 'shop.db')
  await opened(serviceWith(customer, order), { database: `sqlite:${path}` })
  const database = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => database.close())
  const indexed = (table: string) =>
    database
      .prepare(
        `select group_concat(c.name) as columns from pragma_index_list(?) as i, pragma_index_info(i.name) as c group by i.name`,
      )
      .all(table)
      .map(({ columns }) => columns)
  expect(indexed('customer')).toContain('name')
  expect(indexed('order')).toContain('customer,created')
  expect(indexed('order').join()).not.toContain('remark')
})

it('existing-database.md maps names of tables and columns', async () => {
  const names = { ...core, department, role }
  const { user: mapped, userRole } = await examplesOn('docs/existing-database.md')('user_roles', names)
  const path = join(emptyFolder(), 'legacy.db')
  const resources = [
    resource(department),
    resource(application),
    resource(role),
    resource(mapped as Declared, { children: [resource(role, { via: userRole as Declared })] }),
  ]
  const legacy = api('legacy', { versioning: 'per-noun', writes: 'nested', resources })
  await opened(service({ name: 'legacy', apis: [legacy] }), { database: `sqlite:${path}` })
  const database = new DatabaseSync(path, { readOnly: true })
  onTestFinished(() => database.close())
  const columns = (table: string) =>
    database
      .prepare('select name from pragma_table_info(?)')
      .all(table)
      .map(({ name }) => name)
  expect(columns('users')).toEqual(expect.arrayContaining(['user_id', 'first_name', 'dept']))
  expect(columns('user_roles')).toEqual(expect.arrayContaining(['user_id', 'role_id']))
})

/** A service whose requests fail. */
const broken = {
  ...serviceWith(user, department),
  visibility: [
    visible(user, () => {
      throw new Error('broken')
    }),
  ],
}

it('observability.md has an entry of the application log', async () => {
  const lines: string[] = []
  const app = await opened(broken, { log: applicationLog({ stream: { write: (line) => void lines.push(line) } }) })
  expect((await app.fetch('http://desk/user/7')).status).toBe(500)
  await expect.poll(() => lines).toHaveLength(1)
  const [entry = ''] = codeOf('observability.md').filter((code) => code.startsWith('{"level"'))
  // The page shortens the request ID.
  compare('json', entry, `${lines}`.replace(/(?<="requestId":").{4}[^"]*/, '5e0c…'))
})

it('observability.md passes a logger to a service', async () => {
  const lines: string[] = []
  const { desk } = await examplesOn('docs/observability.md')('log: pino(', {
    open: (of: Service, options: Parameters<typeof open>[1]) => opened(of, options),
    pino: (options: LoggerOptions) => pino(options, { write: (line) => void lines.push(line) }),
    service: broken,
    database: 'sqlite::memory:',
  })
  await (desk as OpenService).fetch('http://desk/user/7')
  await expect.poll(() => lines.map((line) => JSON.parse(line))).toMatchObject([{ msg: 'A request failed.' }])
})

/** The resources that an example declares without a name. */
async function resourcesIn(page: string, start: string, names: Readonly<Record<string, unknown>>) {
  const resources: ReturnType<typeof resource>[] = []
  const collect = (...args: Parameters<typeof resource>) => void resources.push(resource(...args))
  await examplesOn(`docs/${page}.md`)(start, { ...names, resource: collect })
  return resources
}

it('usage.md deprecates a resource', async () => {
  const resources = await resourcesIn('usage', 'deprecated: ', { user })
  const shown = api('directory', {
    versioning: 'per-noun',
    writes: 'nested',
    resources: [...resources, resource(department)],
  })
  const app = await opened(service({ name: 'directory', apis: [shown] }))
  const { headers } = await app.fetch('http://directory/v1/user')
  expect(headers.get('deprecation')).toBe(`@${Date.parse('2026-11-15') / 1000}`)
  expect(headers.get('sunset')).toBe('Sat, 01 May 2027 00:00:00 GMT')
  expect(headers.get('link')).toContain('</v2/user>; rel="successor-version"')
})

it('lint.md has an exception in a declaration', async () => {
  const order = noun('order', { id: identity(), labels: text() })
  const shop = (resources: readonly ReturnType<typeof resource>[]) =>
    lintApis([api('shop', { versioning: 'per-noun', writes: 'nested', resources })], 'service.ts')
  const withException = shop(await resourcesIn('lint', 'ignore: ', { order }))
  expect(new Set(shop([resource(order)]).findings.map(({ code }) => code))).toEqual(new Set(['plural-property']))
  expect(withException.findings).toEqual([])
  expect(withException.ignored.length).toBeGreaterThan(0)
})

it('openapi.md writes the document of an api', async () => {
  const { document } = await examplesOn('docs/openapi.md')('openapi(directory', { openapi, directory })
  expect(document).toMatchObject({
    info: { title: 'Directory' },
    servers: [{ url: 'https://people.example.com' }],
    paths: { '/user/{id}': {} },
  })
})

it('decisions/console-language.md has a message of the console', () => {
  const [message = ''] = codeOf('decisions/console-language.md')
  const folder = join(import.meta.dirname, '../apps/console/src/language')
  const sources = globSync('**/*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
  expect(sources.filter((source) => source.includes(message.trim()))).toHaveLength(1)
})
