/** Whether the declarations of the packages hold for those who compile against them. */
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const doors = ['core', 'core/client', 'core/mocks', 'core/openapi', 'core/usage', 'server', 'conventions']

/** How TypeScript finds a package: as Node does, and as bundlers do. */
const resolutions = [
  { module: 'nodenext', moduleResolution: 'nodenext' },
  { module: 'esnext', moduleResolution: 'bundler' },
] as const

/** Compiles the project, and an import of each door, with every way of finding packages and libraries checked too. */
export function tryTypes(project: string): void {
  const imports = doors.map((door, index) => `export * as door${index} from '@nomen/${door}'\n`)
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
