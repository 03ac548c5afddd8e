/** Checks that the type declarations of the packages compile for users. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const libraries = ['core', 'server', 'conventions']

/** The module resolution of Node, and that of bundlers. */
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const

/** Compiles the project, and an import of each entry point, with both resolutions and without skipLibCheck. */
export function tryTypes(project: string): void {
  const imports = entryPointsIn(project).map((name, index) => `export * as entry${index} from '${name}'\n`)
  writeFileSync(join(project, 'src/entry-points.ts'), imports.join(''))
  for (const resolution of resolutions) {
    const settings = join(project, `tsconfig.${resolution.moduleResolution}.json`)
    const compilerOptions = { ...resolution, skipLibCheck: false, lib: ['esnext', 'dom', 'dom.iterable'] }
    writeFileSync(
      settings,
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include: ['service.ts', 'src'] }),
    )
    run(project, settings)
  }
}

/** Entry points for a framework that the project does not have installed. */
const optional = ['./fastify']

/** All entry points of the packages. */
function entryPointsIn(project: string): readonly string[] {
  return libraries.flatMap((name) => {
    const manifest = JSON.parse(readFileSync(join(project, 'node_modules/@nomen', name, 'package.json'), 'utf8'))
    const paths = Object.keys(manifest.exports).filter((path) => path !== './package.json' && !optional.includes(path))
    return paths.map((path) => `@nomen/${name}${path.slice(1)}`)
  })
}

function run(project: string, settings: string): void {
  try {
    execFileSync(process.execPath, ['node_modules/typescript/bin/tsc', '--project', settings], {
      cwd: project,
      encoding: 'utf8',
    })
  } catch (error) {
    throw new Error(`${settings} does not compile:\n${(error as { stdout?: string }).stdout}`)
  }
}
