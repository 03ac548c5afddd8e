/** Whether the declarations of the packages hold for those who compile against them. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const libraries = ['core', 'server', 'conventions']

/** How TypeScript finds a package: as Node does, and as bundlers do. */
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const

/** Compiles the project, and an import of each door, with every way of finding packages and libraries checked too. */
export function tryTypes(project: string): void {
  const imports = doorsIn(project).map((door, index) => `export * as door${index} from '${door}'\n`)
  writeFileSync(join(project, 'src/doors.ts'), imports.join(''))
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

/** Everything that can be imported of the packages. */
function doorsIn(project: string): readonly string[] {
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
