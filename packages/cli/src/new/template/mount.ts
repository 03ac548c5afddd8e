/** Parts of the templates that mount the service in a framework, below `/api`. */
import type { Project } from '../project.ts'

/** The path of the service in the application. */
export const mountPath = '/api'

/** The line that reads the database URL. */
export function databaseSetting({ name, database, isAdopted = false }: Project): string {
  if (database === undefined && !isAdopted)
    return `const database = process.env.DATABASE_URL ?? 'sqlite:data/${name}.db'`
  return `const database = process.env.DATABASE_URL
if (database === undefined) throw new Error('DATABASE_URL is not set.')`
}

interface MountedTest {
  readonly title: string
  /** The import of the application. */
  readonly imports: string
  /** The expression that sends a request with `path` and `options`. */
  readonly send: string
  /** The expression that closes the service. */
  readonly close: string
}

export function mountedTestFile({ version, nouns }: Project, { title, imports, send, close }: MountedTest): string {
  const path = `${mountPath}${version === undefined ? '' : `/v${version}`}/${nouns[0].name}`
  return `// ${title}, in this process and without a port.
import { afterAll, expect, it, vi } from 'vitest'

vi.hoisted(() => vi.stubEnv('DATABASE_URL', 'sqlite::memory:'))

${imports}

afterAll(() => ${close})

const send = async (path: string, options?: RequestInit): Promise<Response> => ${send}

it('serves the api below ${mountPath}', async () => {
  const response = await send('${path}?pageSize=2')
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ pageInfo: { pageSize: 2 } })
})

it('responds to invalid requests with a problem document', async () => {
  const response = await send('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: 'malformed-json' })
})
`
}
