/** Finds files of this package. The published code is bundled, so that paths relative to a source file do not hold. */

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
