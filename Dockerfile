# The example service, the directory: docker build --tag directory .
FROM node:26-slim AS build
WORKDIR /repository
COPY . .
RUN npm ci --no-audit --no-fund
RUN npm run pack -- --release \
  && npm install --prefix /srv --ignore-scripts --no-audit --no-fund ./dist/nomen-*.tgz \
  && npm pkg set --prefix /srv type=module \
  && cp -r apps/directory/service.ts apps/directory/src /srv

FROM node:26-slim
# SQLite writes temporary files for large changes and sorts.
ENV NODE_ENV=production HOST=0.0.0.0 SQLITE_TMPDIR=/srv/data ACCESS_LOG=-
WORKDIR /srv
COPY --from=build /srv .
# The service writes only to this folder. With PostgreSQL, the container needs no volume.
RUN install -d -o node -g node data
VOLUME /srv/data
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --start-period=30s CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/health/live').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "node_modules/.bin/nomen", "serve"]
