/** Compiles the sources of a package: JavaScript, declarations, and maps from both to the sources beside them. */
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** `src` of the folder becomes its `dist`. Packages that were compiled before it stand beside it in the stage. */
export function compile(folder: string, stage: string, earlier: readonly string[]): void {
  const settings = join(folder, 'tsconfig.json')
  writeFileSync(settings, JSON.stringify({ extends: join(root, 'tsconfig.json'), ...options(folder, stage, earlier) }))
  try {
    execFileSync(process.execPath, [compiler, '--project', settings], { stdio: ['ignore', 'inherit', 'inherit'] })
  } catch (cause) {
    throw new Error(`The sources in ${folder} do not compile. What the compiler says stands above.`, { cause })
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
      sourceMap: true,
      rewriteRelativeImportExtensions: true,
      // By their declarations: the links of the workspace lead to sources, which would be compiled along.
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

/** The compiler rewrites the imports of the JavaScript only; a declaration that names a source would lead there. */
function nameCompiledFiles(file: string): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/((?:from |import\()(['"])\.{1,2}\/[^'"]+)\.ts\2/g, '$1.js$2'))
}
