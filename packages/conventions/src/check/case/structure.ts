/** Checks for the document: its paths and schemas. */
import { pathKey } from '@nomen/core/openapi'
import type { Code } from '../catalog.ts'
import { Fault, Skip } from '../finding.ts'
import type { Surface } from '../surface.ts'

export interface StructureCheck {
  readonly code: Code
  readonly run: (surface: Surface, versioning: Versioning) => void
}

/** A shared api has one version; an api for a single application may have versions per noun. */
export type Versioning = 'whole' | 'per-noun'

const versionPattern = /^v\d+$/

function checkVersionPrefix({ operations }: Surface, versioning: Versioning): void {
  const versions = new Map<string, string>()
  for (const { path } of operations) {
    const [, first = '', ...others] = path.split('/')
    const misplaced = others.find((segment) => versionPattern.test(segment))
    if (misplaced !== undefined)
      throw new Fault({ expected: `the version at the start of ${path}`, actual: `"${misplaced}" is a later segment` })
    versions.set(versionPattern.test(first) ? `/${first}` : 'none', path)
  }
  if (versioning === 'whole' && versions.size > 1)
    throw new Fault({
      expected: 'one version prefix for all paths',
      actual: [...versions].map(([prefix, path]) => `${prefix} (${path})`).join(', '),
    })
}

/** Nested writes, and flat writes of a noun with a parent, are two forms. */
function checkWriteForm({ operations }: Surface): void {
  const keys = new Set(operations.map(({ path }) => pathKey(path)))
  const isNested = (path: string) =>
    pathKey(path)
      .replace(/\/\{\}$/, '')
      .includes('{}')
  const writes = operations.filter(({ method }) => ['post', 'put', 'patch', 'delete'].includes(method))
  const nested = writes.filter(({ path, role }) => isNested(path) && role !== 'link' && role !== 'unlink')
  // Linked records have no parent: they are listed below the other record of the link.
  const links = operations.filter(({ role }) => role === 'link').map(({ path }) => pathKey(path).replace(/\/\{\}$/, ''))
  const collections = [...keys].map((key) => key.replace(/\/\{\}$/, '')).filter((key) => !links.includes(key))
  const flat = writes.filter(({ path }) => {
    const key = pathKey(path).replace(/\/\{\}$/, '')
    const noun = key.slice(key.lastIndexOf('/'))
    return !isNested(path) && collections.some((collection) => collection.endsWith(`/{}${noun}`))
  })
  const [nestedWrite, flatWrite] = [nested[0], flat[0]]
  if (nestedWrite && flatWrite)
    throw new Fault({
      expected: 'all writes below the parent or all at the root',
      actual: `${nestedWrite.method.toUpperCase()} ${nestedWrite.path} is below its parent, ${flatWrite.method.toUpperCase()} ${flatWrite.path} at the root`,
    })
  if (!nestedWrite && !flatWrite) throw new Skip('the document has no writes of nested nouns')
}

function checkGetBody({ operations }: Surface): void {
  const operation = operations.find(({ method, body }) => method === 'get' && body)
  if (operation) throw new Fault({ expected: 'no GET with a body', actual: `GET ${operation.path} has one` })
}

/** PUT requires all writable properties, PATCH none. */
function checkUpdateShape({ collections }: Surface): void {
  let count = 0
  for (const { replace, update, detail, identityNames } of collections) {
    for (const { name, isRequired, isReadOnly } of replace?.body?.shape?.properties.values() ?? []) {
      count++
      const detailProperty = detail?.properties.get(name)
      if (isReadOnly || identityNames.includes(name) || !detailProperty || isRequired || detailProperty.isReadOnly)
        continue
      throw new Fault({ expected: `PUT ${replace?.path} to require "${name}"`, actual: 'it is optional' })
    }
    const properties = [...(update?.body?.shape?.properties.values() ?? [])]
    const required = properties.find(({ isRequired, isReadOnly }) => isRequired && !isReadOnly)
    if (required !== undefined)
      throw new Fault({
        expected: `PATCH ${update?.path} without required properties`,
        actual: `it requires "${required.name}"`,
      })
    if (update) count++
  }
  if (count === 0) throw new Skip('the document has no updates')
}

export const structureChecks: readonly StructureCheck[] = [
  { code: 'version-prefix', run: checkVersionPrefix },
  { code: 'write-form', run: checkWriteForm },
  { code: 'get-body', run: checkGetBody },
  { code: 'update-shape', run: checkUpdateShape },
]
