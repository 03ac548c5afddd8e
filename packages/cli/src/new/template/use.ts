/** The files that use the declarations: mocks, a client call, and tests. */
import { clientProperty } from '../identifier.ts'
import type { Project } from '../project.ts'
import { serviceUrl } from './setup.ts'

export function mocksFile({ identifier }: Project): string {
  return `/** MSW handlers that replace the service in the browser and in tests. */
import { mocksOf } from '@nomen/core/mocks'
import { ${identifier} } from './api.ts'
import { data } from './data.ts'

export const mock = mocksOf(${identifier}, data)
`
}

export function callFile(project: Project): string {
  const noun = `api${clientProperty(project.nouns[0].name)}`
  const create = project.nouns[0].records
    ? `const created = await ${noun}.create({ name: 'Created by the client' })
console.log('Created:', created)

`
    : ''
  return `/** Calls the service with the typed client: \`npm run call\` while \`npm run dev\` runs. */
import { client } from '@nomen/core/client'
import type { ${project.identifier} } from './api.ts'

const api = client<typeof ${project.identifier}>({ baseUrl: process.env.BASE_URL ?? '${serviceUrl(project)}'${versionOption(project)} })

${create}const { results, pageInfo } = await ${noun}.list({ sort: '-${identityOf(project)}', pageSize: 3 })
console.log(\`\${pageInfo.numberOfRecords} records, the latest:\`, results)
`
}

export function mocksTestFile(project: Project): string {
  const [{ name, records = [] }] = project.nouns
  const noun = `api${clientProperty(name)}`
  const changes = `
it('creates, changes and deletes a record', async () => {
  const created = await ${noun}.create({ name: 'New' })
  expect(await ${noun}.update(created.id, { name: 'Newer' })).toMatchObject({ id: created.id, name: 'Newer' })
  await ${noun}.delete(created.id)
  await expect(${noun}.read(created.id)).rejects.toMatchObject({ status: 404 })
})
`
  return `// Calls of a user interface without a service: the mocks respond.
import { client } from '@nomen/core/client'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import type { ${project.identifier} } from '../src/api.ts'
import { mock } from '../src/mocks.ts'

const server = setupServer(...mock.handlers)
beforeAll(() => server.listen({ onUnhandledFrame: 'error' }))
afterEach(() => mock.reset())
afterAll(() => server.close())

const api = client<typeof ${project.identifier}>({ baseUrl: 'http://service.test'${versionOption(project)} })

it('lists every ${wordsOf(name)}', async () => {
  const { results } = await ${noun}.list()
  expect(results).toHaveLength(${records.length})
})
${records.length > 0 ? changes : ''}`
}

export function serviceTestFile(project: Project): string {
  const [{ name, records = [] }] = project.nouns
  const noun = `api${clientProperty(name)}`
  const creates = `it('creates a ${wordsOf(name)}, and finds it', async () => {
  const created = await ${noun}.create({ name: 'Entirely new' })
  expect(created).toMatchObject({ name: 'Entirely new', status: 'ACTIVE' })
  const { results } = await ${noun}.list({ search: 'entirely' })
  expect(results).toEqual([{ id: created.id, name: 'Entirely new', status: 'ACTIVE' }])
})
`
  const lists = `it('lists every ${wordsOf(name)}', async () => {
  const { results } = await ${noun}.list()
  expect(results).toEqual(expect.any(Array))
})
`
  const path = `${project.version === undefined ? '' : `/v${project.version}`}/${name}`
  return `// The service in this process, with an in-memory database and without a port.
import { client } from '@nomen/core/client'
import { open } from '@nomen/server'
import { afterAll, expect, it } from 'vitest'
import service from '../service.ts'
import type { ${project.identifier} } from '../src/api.ts'

const opened = await open(service, { database: 'sqlite::memory:' })
afterAll(() => opened.close())

const api = client<typeof ${project.identifier}>({ baseUrl: 'http://service', fetch: opened.fetch${versionOption(project)} })

${records.length > 0 ? creates : lists}
it('reports an unknown parameter, with a suggestion', async () => {
  const response = await opened.fetch('http://service${path}?pageSise=5')
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'unknown-parameter', hint: 'Did you mean "pageSize"?' })
})
`
}

function wordsOf(noun: string): string {
  return noun.replaceAll('-', ' ')
}

function versionOption({ version }: Project): string {
  return version === undefined ? '' : `, version: ${version}`
}

function identityOf({ nouns: [{ fields }] }: Project): string {
  return fields.find(({ declaration }) => declaration.startsWith('identity('))?.name ?? 'id'
}
