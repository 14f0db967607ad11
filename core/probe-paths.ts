// Where every process says how it is, without a token: asked by kubelet and Prometheus.
export const probePaths = { alive: '/livez', ready: '/readyz', metrics: '/metrics' } as const
