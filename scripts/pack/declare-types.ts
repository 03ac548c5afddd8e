/** Writes the type declarations of a package, with maps to its sources. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** Writes declarations of `src` to `dist`. The stage folder contains the packages whose declarations exist already. */
export function declareTypes(folder: string, stage: string, earlier: readonly string[]): void {
  const settings = join(folder, 'tsconfig.json')
  writeFileSync(settings, JSON.stringify({ extends: join(root, 'tsconfig.json'), ...options(folder, stage, earlier) }))
  try {
    execFileSync(process.execPath, [compiler, '--project', settings], { stdio: ['ignore', 'inherit', 'inherit'] })
  } catch (cause) {
    throw new Error(`The sources in ${folder} do not compile. See the compiler output above.`, { cause })
  }
  rmSync(settings)
  for (const file of globSync('dist/**/*.d.ts', { cwd: folder })) nameCompiledFiles(join(folder, file))
}

function options(folder: string, stage: string, earlier: readonly string[]): object {
  return {
    compilerOptions: {
      noEmit: false,
      rootDir: join(folder, 'src'),
      outDir: join(folder, 'dist'),
      declaration: true,
      declarationMap: true,
      emitDeclarationOnly: true,
      // Without these paths, the compiler would read the sources of the other packages.
      paths: Object.fromEntries(
        earlier.flatMap((name) => [
          [`@nomen/${name}`, [join(stage, name, 'dist/index.d.ts')]],
          [`@nomen/${name}/*`, [join(stage, name, 'dist/*/index.d.ts')]],
        ]),
      ),
    },
    include: [join(folder, 'src')],
    exclude: [],
  }
}

/** Rewrites imports in declarations to compiled files; the compiler does not do that. */
function nameCompiledFiles(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/((?:from |import\()(['"])\.{1,2}\/[^'"]+)\.ts\2/g, '$1.js$2'))
}
