/** Checks of the document alone: what its paths and shapes show about the api as a whole. */
import { pathKey } from '@nomen/core/openapi'
import type { Code } from '../catalogue.ts'
import { Fault, Skip } from '../finding.ts'
import type { Surface } from '../surface.ts'

export interface StructureCheck {
  readonly code: Code
  readonly run: (surface: Surface, versioning: Versioning) => void
}

/** A shared api has one version; one that serves a single application may have several. */
export type Versioning = 'whole' | 'per-noun'

const version = /^v\d+$/

function versionPrefix({ operations }: Surface, versioning: Versioning): void {
  const found = new Map<string, string>()
  for (const { path } of operations) {
    const [, first = '', ...rest] = path.split('/')
    const late = rest.find((part) => version.test(part))
    if (late !== undefined)
      throw new Fault({ expected: `the version in front of ${path}`, actual: `"${late}" stands further on` })
    found.set(version.test(first) ? `/${first}` : 'none', path)
  }
  if (versioning === 'whole' && found.size > 1)
    throw new Fault({
      expected: 'one version prefix for all paths',
      actual: [...found].map(([prefix, path]) => `${prefix} (${path})`).join(', '),
    })
}

/** Writes below a parent, and writes at the root of what is also read below a parent, are two forms. */
function writeForm({ operations }: Surface): void {
  const keys = new Set(operations.map(({ path }) => pathKey(path)))
  const isNested = (path: string) =>
    pathKey(path)
      .replace(/\/\{\}$/, '')
      .includes('{}')
  const writes = operations.filter(({ method }) => ['post', 'put', 'patch', 'delete'].includes(method))
  const nested = writes.filter(({ path, role }) => isNested(path) && role !== 'link' && role !== 'unlink')
  const collections = [...keys].map((key) => key.replace(/\/\{\}$/, ''))
  const flat = writes.filter(({ path }) => {
    const key = pathKey(path).replace(/\/\{\}$/, '')
    const noun = key.slice(key.lastIndexOf('/'))
    return !isNested(path) && collections.some((other) => other.endsWith(`/{}${noun}`))
  })
  const [one, other] = [nested[0], flat[0]]
  if (one && other)
    throw new Fault({
      expected: 'one form of writes, below the parent or at the root',
      actual: `${one.method.toUpperCase()} ${one.path} is below its parent, ${other.method.toUpperCase()} ${other.path} at the root`,
    })
  if (!one && !other) throw new Skip('nothing that has a parent is written')
}

function getBody({ operations }: Surface): void {
  const found = operations.find(({ method, body }) => method === 'get' && body)
  if (found) throw new Fault({ expected: 'no body of a GET', actual: `GET ${found.path} has one` })
}

/** PUT asks for every property that can be changed, PATCH for none. */
function updateShape({ collections }: Surface): void {
  let count = 0
  for (const { replace, update, detail, identityNames } of collections) {
    for (const { name, isRequired, isReadOnly } of replace?.body?.shape?.properties.values() ?? []) {
      count++
      const shown = detail?.properties.get(name)
      if (isReadOnly || identityNames.includes(name) || !shown || isRequired || shown.isReadOnly) continue
      throw new Fault({ expected: `PUT ${replace?.path} to require "${name}"`, actual: 'it may be left out' })
    }
    const required = [...(update?.body?.shape?.properties.values() ?? [])].find(({ isRequired }) => isRequired)
    if (required !== undefined)
      throw new Fault({
        expected: `PATCH ${update?.path} to require nothing`,
        actual: `it requires "${required.name}"`,
      })
    if (update) count++
  }
  if (count === 0) throw new Skip('nothing can be updated')
}

export const structureChecks: readonly StructureCheck[] = [
  { code: 'version-prefix', run: versionPrefix },
  { code: 'write-form', run: writeForm },
  { code: 'get-body', run: getBody },
  { code: 'update-shape', run: updateShape },
]
