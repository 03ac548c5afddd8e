/** A project as files: each path with its contents. */
import type { PackageDependencies } from './dependency.ts'
import { notesFile } from './from/note.ts'
import { isMockable, type Project } from './project.ts'
import { containerFiles } from './template/container.ts'
import { apiFile, dataFile, nounsFile, serviceFile } from './template/declaration.ts'
import { honoFiles } from './template/hono.ts'
import { nextFiles } from './template/next.ts'
import { compilerFile, environmentFile, ignoreFile, manifestFile, readmeFile } from './template/setup.ts'
import { callFile, mocksFile, mocksTestFile, serviceTestFile } from './template/use.ts'

export function projectFiles(project: Project, packages: PackageDependencies): Readonly<Record<string, string>> {
  return {
    'package.json': manifestFile(project, packages),
    'tsconfig.json': compilerFile(project),
    '.gitignore': ignoreFile(project),
    ...containerFiles(project),
    ...(project.database !== undefined && { '.env': environmentFile(project.database) }),
    'README.md': readmeFile(project),
    'service.ts': serviceFile(project),
    'src/nouns.ts': nounsFile(project),
    'src/api.ts': apiFile(project),
    'src/call.ts': callFile(project),
    'test/service.test.ts': serviceTestFile(project),
    ...(project.template === 'hono' && honoFiles(project)),
    ...(project.template === 'next' && nextFiles(project)),
    ...(isMockable(project.nouns) && {
      'src/data.ts': dataFile(project),
      'src/mocks.ts': mocksFile(project),
      'test/mocks.test.ts': mocksTestFile(project),
    }),
    ...(project.notes !== undefined && { [notesFile]: project.notes }),
  }
}
