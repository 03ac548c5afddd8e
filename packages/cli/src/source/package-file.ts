/** Finds files of this package. The published code is bundled, so that paths relative to a source file do not hold. */
import { fileURLToPath } from 'node:url'

const root = import.meta.resolve('@nomen/cli/package.json')

/** The path of a file or folder that the package contains, for example `static/console`. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(path, root))
}
