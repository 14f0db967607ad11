// What people call the data planes; by what agents call them.
export const planeNames: Readonly<Record<string, string>> = { ovs: 'Open vSwitch', bess: 'BESS', linux: "the kernel's bridges" }

export const planeName = (dataplane: string): string => (Object.hasOwn(planeNames, dataplane) ? planeNames[dataplane]! : dataplane)
