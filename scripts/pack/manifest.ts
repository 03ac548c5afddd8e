/** The manifest of a published package, from its manifest in the repository. */

/** The tests of the command use the compiled file, with `node --conditions=compiled`. */
interface EntryPoint {
  readonly compiled: string
  readonly default: string
}

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string | EntryPoint>>
  readonly bin?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [other: string]: unknown
}

/** Fields of the manifest of the repository that every published manifest has, once they are set there. */
export interface RepositoryManifest {
  readonly homepage?: string
  readonly bugs?: string | object
  /** The URL of the repository; npm needs it for provenance. */
  readonly repository?: string | { readonly type: string; readonly url: string }
  readonly [other: string]: unknown
}

/** The contents of a tarball, in addition to manifest, README and license. Source maps refer to `src`; only cli has `docs`. */
const files = ['dist', 'src', 'static', 'docs']

/** Replaces source files by compiled files, and removes development dependencies. `folder` is its path in the repository. */
export function publishedManifest(
  { devDependencies: _, exports, bin, ...otherProperties }: Manifest,
  { homepage, bugs, repository }: RepositoryManifest,
  folder: string,
): Record<string, unknown> {
  const url = typeof repository === 'string' ? repository : repository?.url
  return {
    ...otherProperties,
    ...(homepage !== undefined && { homepage }),
    ...(bugs !== undefined && { bugs }),
    ...(url !== undefined && { repository: { type: 'git', url, directory: folder } }),
    files,
    ...(bin && { bin: mapValues(bin, compiled) }),
    exports: mapValues(exports, (path) =>
      typeof path === 'string' ? path : { types: path.compiled.replace(/\.js$/, '.d.ts'), default: path.compiled },
    ),
  }
}

/** The source files that users, the shell or other packages load. */
export function entryPoints({ exports, bin = {} }: Manifest): readonly string[] {
  return [
    ...Object.values(exports).flatMap((path) => (typeof path === 'string' ? [] : path.default)),
    ...Object.values(bin),
  ]
}

function compiled(path: string): string {
  return path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js')
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}
