/** Finds files of this package. Published code is bundled, so a path relative to a source file would be wrong. */

const root = import.meta.resolve('@nomen/server/package.json')
const [folder, extension] = import.meta.url.endsWith('.ts') ? ['src', 'ts'] : ['dist', 'js']

/** A file that the package contains, for example `static/reference/scalar.js.gz`. */
export function packageFile(path: string): URL {
  return new URL(path, root)
}

/** A module that a worker thread runs, for example `ship/thread`: a source file in a clone, else a compiled file. */
export function threadFile(path: string): URL {
  return packageFile(`${folder}/${path}.${extension}`)
}
