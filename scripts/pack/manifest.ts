/** The manifest that a package is published with, made from the one that it has in the repository. */

export interface Manifest {
  readonly name: string
  readonly version: string
  readonly exports: Readonly<Record<string, string>>
  readonly bin?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly [other: string]: unknown
}

/** What a tarball holds beside manifest, README and licence: the sources are there for those who follow a source map. */
const files = ['dist', 'src', 'static']

/** Sources become what they are compiled to. What only work on the package itself needs is left out. */
export function publishedManifest({ devDependencies: _, exports, bin, ...rest }: Manifest): Record<string, unknown> {
  return {
    ...rest,
    files,
    ...(bin && { bin: mapValues(bin, compiled) }),
    exports: mapValues(exports, (path) =>
      path.endsWith('.ts') ? { types: compiled(path).replace(/\.js$/, '.d.ts'), default: compiled(path) } : path,
    ),
  }
}

function compiled(path: string): string {
  return path.replace(/^\.\/src\//, './dist/').replace(/\.ts$/, '.js')
}

function mapValues<From, To>(from: Readonly<Record<string, From>>, to: (value: From) => To): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([name, value]) => [name, to(value)]))
}
