# One image for every role: charts/megrez says which program a container runs. `docker build -t megrez:0.1.0 .`
# Node.js 24.15 or newer, on a Debian with glibc: the agent's addon is linked to it.
ARG NODE=node:24-bookworm-slim

FROM ${NODE} AS build
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev && rm -rf /var/lib/apt/lists/*
WORKDIR /megrez
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --omit=optional
COPY agent/native agent/native
COPY platform/programs platform/programs
COPY core/errors.ts core/errors.ts
# The agent's programs in C, into /native/megrez: found again by a hash of their sources and of Node.js' ABI.
RUN XDG_CACHE_HOME=/native node --disable-warning=ExperimentalWarning agent/native/build.ts
RUN npm ci --ignore-scripts --omit=optional --omit=dev
RUN node --disable-warning=ExperimentalWarning platform/programs/sbom.ts sbom.cdx.json

# The page: its bundler is a program of this platform, which npm has as an optional package.
FROM ${NODE} AS page
WORKDIR /megrez
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY openapi/types.ts openapi/types.ts
COPY examples examples
COPY gui gui
RUN node --disable-warning=ExperimentalWarning gui/build.ts --quiet

FROM ${NODE}
# Of the agent: BESS' uplink is read by ip, and netlink where the addon does not load; the kernel as data plane guards sources by nft. BIRD is for nodes that speak BGP, HAProxy for rules of policies with l7.
RUN apt-get update && apt-get install -y --no-install-recommends iproute2 nftables bird2 haproxy && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production XDG_CACHE_HOME=/opt
WORKDIR /megrez
COPY --from=build /native/megrez /opt/megrez
COPY --from=build /megrez/node_modules node_modules
# Which packages of npm it holds (CycloneDX), for scanners; what is of Debian is in dpkg's own list.
COPY --from=build /megrez/sbom.cdx.json sbom.cdx.json
COPY LICENSE package.json bootstrap.mjs ./
COPY bin bin
COPY core core
COPY platform platform
COPY openapi openapi
COPY webhooks webhooks
COPY workers workers
COPY agent agent
COPY cli cli
COPY receiver receiver
COPY --from=page /megrez/gui/dist gui/dist
USER 65532:65532
CMD ["node", "bin/megrez.mjs", "--help"]
