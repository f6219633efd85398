# The server as production runs it: Node, the production dependencies, the sources and what the contract compiles to.
FROM node:26.10.0-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional --ignore-scripts

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=dependencies /app/node_modules node_modules/
# What .dockerignore lets in: package.json, generated/, src/, and migrations/ where there are any.
COPY . .
# The root stays read-only; rows and development keys of a SQLite set-up belong in this volume.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# The shell asks itself: a Node for each check would take more than the server does.
HEALTHCHECK --interval=5s --timeout=2s --start-period=20s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# Signals reach the server itself: no shell, no npm between.
CMD ["node", "src/main.ts"]
