/** The entry points of the packages that users import. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../pack/manifest.ts'

export interface EntryPoint {
  /** The name to import from: `@nomen/core/client`. */
  readonly name: string
  /** The absolute path of its source file. */
  readonly file: string
}

const packages = ['core', 'server', 'conventions']

export const entryPoints: readonly EntryPoint[] = packages.flatMap((name) => {
  const folder = join(import.meta.dirname, '../../packages', name)
  const { exports }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([path, entry]) =>
    typeof entry === 'string' ? [] : { name: `@nomen/${name}${path.slice(1)}`, file: join(folder, entry.default) },
  )
})
