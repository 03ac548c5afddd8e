/** The files for containers: Dockerfile, .dockerignore and compose.yaml. */
import type { Project, Template } from '../project.ts'
import { mountPath } from './mount.ts'

/** The command of a container, without a shell, so that Node receives SIGTERM. */
const commands: Readonly<Record<Template, readonly string[]>> = {
  plain: ['node', 'node_modules/.bin/nomen', 'serve'],
  hono: ['node', 'server.ts'],
  next: ['node', 'node_modules/.bin/next', 'start', '--hostname', '0.0.0.0'],
}

export function containerFiles(project: Project): Readonly<Record<string, string>> {
  return {
    Dockerfile: dockerFile(project),
    '.dockerignore': 'node_modules/\n.git/\n.next/\ndata/\n.env*\nDockerfile\ncompose.yaml\ntest/\n*.md\n',
    'compose.yaml': composeFile(project),
  }
}

function dockerFile({ name, template = 'plain' }: Project): string {
  const isBuilt = template === 'next'
  const health = `fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '${template === 'plain' ? '' : mountPath}/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))`
  return `# docker build --tag ${name} .
FROM node:26-slim AS build
WORKDIR /srv
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts${isBuilt ? '' : ' --omit=dev'}
COPY . .
${isBuilt ? 'RUN npm run build && npm prune --omit=dev --ignore-scripts\n' : ''}
FROM node:26-slim
# SQLite writes temporary files for large changes and sorts.
ENV NODE_ENV=production HOST=0.0.0.0 SQLITE_TMPDIR=/srv/data${template === 'plain' ? ' ACCESS_LOG=-' : ''}
WORKDIR /srv
COPY --from=build /srv .
# The service writes only to this folder. With PostgreSQL, the container needs no volume.
RUN install -d -o node -g node data
VOLUME /srv/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --start-period=30s CMD ["node", "-e", "${health}"]
CMD ${JSON.stringify(commands[template]).replaceAll(',', ', ')}
`
}

function composeFile({ name, template = 'plain' }: Project): string {
  const anonymous = `
    # Anyone who reaches the port may change all data. In production, set AUTH=jwt instead, and put a proxy with TLS in front.
    command: [${[...commands.plain, '--allow-anonymous'].join(', ')}]`
  return `# DATABASE_PASSWORD=… docker compose up --build
services:
  service:
    build: .${template === 'plain' ? anonymous : ''}
    environment:
      DATABASE_URL: postgres://${name}:\${DATABASE_PASSWORD:?}@database/${name}
    ports: ["127.0.0.1:3000:3000"]
    read_only: true
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    stop_grace_period: 20s
    restart: unless-stopped
    depends_on:
      database: { condition: service_healthy }

  database:
    image: postgres:18
    environment:
      POSTGRES_USER: ${name}
      POSTGRES_PASSWORD: \${DATABASE_PASSWORD:?}
    volumes: ["database:/var/lib/postgresql"]
    healthcheck:
      test: [CMD, pg_isready, --username, ${name}]
      interval: 2s
      retries: 30
    restart: unless-stopped

volumes:
  database:
`
}
