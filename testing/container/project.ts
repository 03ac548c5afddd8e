/** A project of `create-nomen` that can be built in a container before the packages are published. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { npm } from '../../scripts/pack/npm.ts'
import { createProject, tryInstall } from '../../scripts/pack/try-project.ts'
import type { FrameworkTemplate } from '../../scripts/pack/try-template.ts'
import { pack } from '../../scripts/pack.ts'

type Template = 'plain' | FrameworkTemplate

const root = join(import.meta.dirname, '../..')

/** Returns the folder, whose files include the tarballs of the packages. The caller removes it. */
export async function containerProject(template: Template = 'plain'): Promise<string> {
  mkdirSync(join(root, 'dist'), { recursive: true })
  const stage = mkdtempSync(join(root, 'dist/container-'))
  const folder = mkdtempSync(join(tmpdir(), 'nomen-image-'))
  try {
    const tarballs = await pack(stage)
    const project = createProject(folder, tryInstall(folder, tarballs), template)
    for (const tarball of tarballs) cpSync(tarball, join(project, 'vendor', basename(tarball)))
    useVendored(project)
    rmSync(join(folder, 'install'), { recursive: true })
    return project
  } finally {
    rmSync(stage, { recursive: true })
  }
}

/** Lets the project depend on the tarballs in its folder, and its Dockerfile copy them before it installs. */
function useVendored(project: string): void {
  const path = join(project, 'package.json')
  const text = readFileSync(path, 'utf8').replaceAll(/"file:[^"]*\/([^"/]+\.tgz)"/g, '"file:vendor/$1"')
  // The image does not run tests. The newest version of their tool may not be complete in the registry yet.
  const manifest = JSON.parse(text)
  delete manifest.devDependencies.vitest
  // `npm ci` also needs the packages for other platforms, which the newest version may lack at first.
  if (manifest.dependencies.next !== undefined) manifest.dependencies.next = '16.4.5'
  writeFileSync(path, JSON.stringify(manifest, null, 2))
  npm(['install', '--package-lock-only', '--ignore-scripts', '--prefer-offline'], project)
  const dockerfile = join(project, 'Dockerfile')
  writeFileSync(dockerfile, readFileSync(dockerfile, 'utf8').replace('RUN npm ci', 'COPY vendor vendor\nRUN npm ci'))
}
