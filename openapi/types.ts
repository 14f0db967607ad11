// Generated from openapi.yaml by npm run gen.
export interface paths {
    "/v1/namespaces/{namespace}/vpcs": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Vpc objects */
        get: operations["listVpcs"];
        put?: never;
        /** Make a Vpc */
        post: operations["createVpc"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/vpcs/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Vpc */
        get: operations["getVpc"];
        /** Replace the spec, labels and annotations of a Vpc */
        put: operations["replaceVpc"];
        post?: never;
        /** Delete a Vpc */
        delete: operations["deleteVpc"];
        options?: never;
        head?: never;
        /** Change parts of a Vpc */
        patch: operations["patchVpc"];
        trace?: never;
    };
    "/v1/vpcs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Vpc objects of all namespaces */
        get: operations["listAllVpcs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subnets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Subnet objects */
        get: operations["listSubnets"];
        put?: never;
        /** Make a Subnet */
        post: operations["createSubnet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subnets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Subnet */
        get: operations["getSubnet"];
        /** Replace the spec, labels and annotations of a Subnet */
        put: operations["replaceSubnet"];
        post?: never;
        /** Delete a Subnet */
        delete: operations["deleteSubnet"];
        options?: never;
        head?: never;
        /** Change parts of a Subnet */
        patch: operations["patchSubnet"];
        trace?: never;
    };
    "/v1/subnets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Subnet objects of all namespaces */
        get: operations["listAllSubnets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/ports": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Port objects */
        get: operations["listPorts"];
        put?: never;
        /** Make a Port */
        post: operations["createPort"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/ports/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Port */
        get: operations["getPort"];
        /** Replace the spec, labels and annotations of a Port */
        put: operations["replacePort"];
        post?: never;
        /** Delete a Port */
        delete: operations["deletePort"];
        options?: never;
        head?: never;
        /** Change parts of a Port */
        patch: operations["patchPort"];
        trace?: never;
    };
    "/v1/ports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Port objects of all namespaces */
        get: operations["listAllPorts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/iplocks": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch IPLock objects */
        get: operations["listIPLocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/iplocks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a IPLock */
        get: operations["getIPLock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/iplocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch IPLock objects of all namespaces */
        get: operations["listAllIPLocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segmentlocks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch SegmentLock objects */
        get: operations["listSegmentLocks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/segmentlocks/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a SegmentLock */
        get: operations["getSegmentLock"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/securitygroups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch SecurityGroup objects */
        get: operations["listSecurityGroups"];
        put?: never;
        /** Make a SecurityGroup */
        post: operations["createSecurityGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/securitygroups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a SecurityGroup */
        get: operations["getSecurityGroup"];
        /** Replace the spec, labels and annotations of a SecurityGroup */
        put: operations["replaceSecurityGroup"];
        post?: never;
        /** Delete a SecurityGroup */
        delete: operations["deleteSecurityGroup"];
        options?: never;
        head?: never;
        /** Change parts of a SecurityGroup */
        patch: operations["patchSecurityGroup"];
        trace?: never;
    };
    "/v1/securitygroups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch SecurityGroup objects of all namespaces */
        get: operations["listAllSecurityGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Subscription objects */
        get: operations["listSubscriptions"];
        put?: never;
        /** Make a Subscription */
        post: operations["createSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Subscription */
        get: operations["getSubscription"];
        /** Replace the spec, labels and annotations of a Subscription */
        put: operations["replaceSubscription"];
        post?: never;
        /** Delete a Subscription */
        delete: operations["deleteSubscription"];
        options?: never;
        head?: never;
        /** Change parts of a Subscription */
        patch: operations["patchSubscription"];
        trace?: never;
    };
    "/v1/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Subscription objects of all namespaces */
        get: operations["listAllSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Notice objects */
        get: operations["listNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/notices/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Notice */
        get: operations["getNotice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Notice objects of all namespaces */
        get: operations["listAllNotices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Namespace objects */
        get: operations["listNamespaces"];
        put?: never;
        /** Make a Namespace */
        post: operations["createNamespace"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Namespace */
        get: operations["getNamespace"];
        /** Replace the spec, labels and annotations of a Namespace */
        put: operations["replaceNamespace"];
        post?: never;
        /** Delete a Namespace */
        delete: operations["deleteNamespace"];
        options?: never;
        head?: never;
        /** Change parts of a Namespace */
        patch: operations["patchNamespace"];
        trace?: never;
    };
    "/v1/nodes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Node objects */
        get: operations["listNodes"];
        put?: never;
        /** Make a Node */
        post: operations["createNode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodes/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Node */
        get: operations["getNode"];
        /** Replace the spec, labels and annotations of a Node */
        put: operations["replaceNode"];
        post?: never;
        /** Delete a Node */
        delete: operations["deleteNode"];
        options?: never;
        head?: never;
        /** Change parts of a Node */
        patch: operations["patchNode"];
        trace?: never;
    };
    "/v1/nodes/{name}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Say how a Node does, where no kubelet does */
        patch: operations["patchNodeStatus"];
        trace?: never;
    };
    "/v1/namespaces/{namespace}/pods": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Pod objects */
        get: operations["listPods"];
        put?: never;
        /** Make a Pod */
        post: operations["createPod"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/pods/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Pod */
        get: operations["getPod"];
        /** Replace the spec, labels and annotations of a Pod */
        put: operations["replacePod"];
        post?: never;
        /** Delete a Pod */
        delete: operations["deletePod"];
        options?: never;
        head?: never;
        /** Change parts of a Pod */
        patch: operations["patchPod"];
        trace?: never;
    };
    "/v1/namespaces/{namespace}/pods/{name}/status": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Say how a Pod does, where no kubelet does */
        patch: operations["patchPodStatus"];
        trace?: never;
    };
    "/v1/pods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Pod objects of all namespaces */
        get: operations["listAllPods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Event objects */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/events/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Event */
        get: operations["getEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Event objects of all namespaces */
        get: operations["listAllEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/livez": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive */
        get: operations["isAlive"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests are answered well */
        get: operations["isReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Metrics, as Prometheus reads them */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["getDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    phaseChanged: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sent to an object's callbackURL on each change of its phase, in order, until it is acknowledged */
        post: operations["phaseChanged"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        OwnerReference: {
            apiVersion: string;
            kind: string;
            name: string;
            uid: string;
            controller?: boolean;
            blockOwnerDeletion?: boolean;
        };
        Meta: {
            name: string;
            /** @description absent for cluster kinds */
            namespace?: string;
            /** @description in place of a name: five characters are put behind it */
            generateName?: string;
            uid: string;
            /** @description opaque; also the ETag, in quotes */
            resourceVersion: string;
            /** @description counts changes of the spec */
            generation: number;
            /** Format: date-time */
            creationTimestamp: string;
            /**
             * Format: date-time
             * @description set while finalizers keep it
             */
            deletionTimestamp?: string;
            finalizers?: string[];
            labels?: {
                [key: string]: string;
            };
            annotations?: {
                [key: string]: string;
            };
            ownerReferences?: components["schemas"]["OwnerReference"][];
        };
        /** @description name or generateName; what only we set is not looked at */
        MetaDraft: {
            name?: string;
            /** @description absent for cluster kinds */
            namespace?: string;
            /** @description in place of a name: five characters are put behind it */
            generateName?: string;
            uid?: string;
            /** @description opaque; also the ETag, in quotes */
            resourceVersion?: string;
            /** @description counts changes of the spec */
            generation?: number;
            /** Format: date-time */
            creationTimestamp?: string;
            /**
             * Format: date-time
             * @description set while finalizers keep it
             */
            deletionTimestamp?: string;
            finalizers?: string[];
            labels?: {
                [key: string]: string;
            };
            annotations?: {
                [key: string]: string;
            };
            ownerReferences?: components["schemas"]["OwnerReference"][];
        };
        ListMeta: {
            /** @description where a watch goes on from */
            resourceVersion: string;
            /** @description opaque; gets the next page */
            continue?: string;
        };
        VpcSpec: {
            /**
             * @description who makes the Ports
             * @default builtin
             * @enum {string}
             */
            provider?: "builtin";
            /** @description VXLAN network identifier; chosen by us when absent */
            vni?: number;
            /** @description the Subnet of a Nic that names none */
            defaultSubnet?: string;
            /** @description namespaces whose pods may refer to this Vpc as namespace/name */
            sharedWith?: string[];
            /** @description bytes of a pod's packet */
            mtu?: number;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        VpcStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            vni?: number;
        };
        /** @description A tenant's own address space, kept by a provider; two of them may use the same addresses. */
        Vpc: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Vpc";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["VpcSpec"];
            status?: components["schemas"]["VpcStatus"];
        };
        /** @description Vpc as it is sent. The status is ours: what is sent of it is not looked at. */
        VpcDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Vpc";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["VpcSpec"];
            status?: components["schemas"]["VpcStatus"];
        };
        VpcList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "VpcList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Vpc"][];
        };
        SubnetSpec: {
            /** @description the Vpc, in this namespace */
            vpc: string;
            ipv4?: {
                /** @description host bits are zero: 10.0.0.0/24 */
                cidr: string;
                /** @description never handed out; the block's second address when absent and the block has five or more */
                gateway?: string;
                /** @description what may be handed out; all usable addresses when absent */
                pools?: {
                    first: string;
                    last: string;
                }[];
                /** @description addresses or blocks that are never handed out */
                excludes?: string[];
            };
            ipv6?: {
                /** @description host bits are zero: 10.0.0.0/24 */
                cidr: string;
                /** @description never handed out; the block's second address when absent and the block has five or more */
                gateway?: string;
                /** @description what may be handed out; all usable addresses when absent */
                pools?: {
                    first: string;
                    last: string;
                }[];
                /** @description addresses or blocks that are never handed out */
                excludes?: string[];
            };
            routes?: {
                destination: string;
                nextHop: string;
            }[];
            dns?: {
                nameservers?: string[];
                search?: string[];
            };
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        SubnetStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            vni?: number;
            /** @description true once no other Subnet of the VNI overlaps; never false again */
            validated?: boolean;
        };
        /** @description One block of addresses per family on one segment of a Vpc; addresses are handed out from it. */
        Subnet: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Subnet";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["SubnetSpec"];
            status?: components["schemas"]["SubnetStatus"];
        };
        /** @description Subnet as it is sent. The status is ours: what is sent of it is not looked at. */
        SubnetDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Subnet";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["SubnetSpec"];
            status?: components["schemas"]["SubnetStatus"];
        };
        SubnetList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SubnetList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Subnet"][];
        };
        PortSpec: {
            /** @description Subnet, as name or namespace/name */
            subnet: string;
            /** @description fixed addresses, at most one of each family */
            ips?: string[];
            /** @description fixed MAC address */
            mac?: string;
            securityGroups?: string[];
            /** @description more sources that anti-spoofing lets pass */
            allowedAddressPairs?: {
                ip: string;
                mac?: string;
            }[];
            /**
             * @description false switches anti-spoofing off
             * @default true
             */
            portSecurity?: boolean;
            /**
             * @default kernel
             * @enum {string}
             */
            type?: "kernel" | "dpdk";
            /** @description the name a Nic finds this Port by, unique in its Vpc; its UID when absent */
            portID?: string;
            claim?: {
                /** @description name of the pod, in the Port's namespace */
                pod: string;
                /** @description which of the pod's Nics */
                nic: string;
                /** @description Kind/name of the pod's controller, else Pod/name: may take over an unbound reservation */
                owner: string;
                podUID: string;
                /** Format: date-time */
                until?: string;
            };
            /** @description UID of the pod that has it */
            podUID?: string;
            /** @description outlives the pod it was made for */
            retain?: boolean;
            /** @description where it is bound */
            node?: string;
            migratingTo?: string;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        PortStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            addresses?: string[];
            mac?: string;
            vni?: number;
            /** @description the interface on the host */
            ifcName?: string;
            /** @description of the node it is bound to */
            hostIP?: string;
            /** @description what the provider calls it */
            providerID?: string;
            /** @description the name a Nic finds it by */
            portID?: string;
            /** @description made for a pod and deleted with it */
            createdByUs?: boolean;
            node?: {
                wired?: boolean;
                message?: string;
            };
        };
        /** @description An attachment point in a Subnet: addresses, MAC, security groups, and the node and pod it belongs to. */
        Port: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Port";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["PortSpec"];
            status?: components["schemas"]["PortStatus"];
        };
        /** @description Port as it is sent. The status is ours: what is sent of it is not looked at. */
        PortDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Port";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["PortSpec"];
            status?: components["schemas"]["PortStatus"];
        };
        PortList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "PortList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Port"][];
        };
        IPLockSpec: {
            vni: number;
            /** @description canonical text; absent for a lock of a MAC or portID */
            address?: string;
            mac?: string;
            portID?: string;
            /** @description name of the Subnet, in this namespace */
            subnet?: string;
            holder?: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            };
            /** @description further holders, as VRRP needs */
            shared?: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            }[];
            reservation?: {
                namespace: string;
                /** @description Kind/name of the pod's controller, else Pod/name */
                owner: string;
                nic: string;
                podUID: string;
                /** Format: date-time */
                until: string;
            };
            /** @description the node it is bound to: what other nodes watch */
            hostIP?: string;
        };
        IPLockStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
        };
        /** @description Its existence is the right to use one address (or MAC, or portID) in one VNI; its name is a function of both. */
        IPLock: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "IPLock";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["IPLockSpec"];
            status?: components["schemas"]["IPLockStatus"];
        };
        IPLockList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "IPLockList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["IPLock"][];
        };
        SegmentLockSpec: {
            vni?: number;
            physicalNetwork?: string;
            vlan?: number;
            holder: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            };
            /** @description validated blocks: a Subnet is valid once its own stand here, put in by compare-and-swap */
            blocks?: {
                cidr: string;
                subnet: {
                    kind: string;
                    namespace?: string;
                    name: string;
                    uid: string;
                };
            }[];
        };
        SegmentLockStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
        };
        /** @description Its existence is the right to use a VNI, or a VLAN of one physical network; it also lists the blocks in use on a VNI. */
        SegmentLock: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SegmentLock";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["SegmentLockSpec"];
            status?: components["schemas"]["SegmentLockStatus"];
        };
        SegmentLockList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SegmentLockList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["SegmentLock"][];
        };
        SecurityGroupSpec: {
            rules?: {
                /** @enum {string} */
                direction: "ingress" | "egress";
                /**
                 * @default IPv4
                 * @enum {string}
                 */
                etherType?: "IPv4" | "IPv6";
                /**
                 * @default any
                 * @enum {string}
                 */
                protocol?: "tcp" | "udp" | "icmp" | "sctp" | "any";
                l4PortMin?: number;
                l4PortMax?: number;
                remoteCIDR?: string;
                /** @description the ports of another SecurityGroup of this namespace */
                remoteGroup?: string;
                description?: string;
            }[];
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        SecurityGroupStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
        };
        /** @description Stateful rules for Ports of the builtin provider; what no rule allows is dropped. */
        SecurityGroup: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SecurityGroup";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["SecurityGroupSpec"];
            status?: components["schemas"]["SecurityGroupStatus"];
        };
        /** @description SecurityGroup as it is sent. The status is ours: what is sent of it is not looked at. */
        SecurityGroupDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SecurityGroup";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["SecurityGroupSpec"];
            status?: components["schemas"]["SecurityGroupStatus"];
        };
        SecurityGroupList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SecurityGroupList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["SecurityGroup"][];
        };
        SubscriptionSpec: {
            /** @description who is told; absent: events are pulled */
            sink?: string;
            /**
             * @description what is sent: the whole object, an ETSI SOL notification, or a CloudEvent
             * @default eno
             * @enum {string}
             */
            profile?: "eno" | "sol" | "cloudevents";
            /**
             * @description of a CloudEvent
             * @default structured
             * @enum {string}
             */
            mode?: "structured" | "binary";
            /**
             * @description of a SOL notification: with or without the object
             * @default FULL
             * @enum {string}
             */
            verbosity?: "FULL" | "SHORT";
            filter?: {
                /** @description kinds, as Port */
                kinds?: string[];
                /** @description only in Megrez's own namespace: elsewhere it is the Subscription's */
                namespaces?: string[];
                names?: string[];
                /** @description a label selector, as a=b,c!=d */
                labels?: string;
                phases?: ("pending" | "ready" | "error" | "terminating" | "deleted")[];
            };
            auth?: {
                /**
                 * @description by the Secret's username and password; token; clientId and clientSecret; tls.crt and tls.key
                 * @enum {string}
                 */
                type: "basic" | "bearer" | "oauth2" | "certificate";
                /** @description the Secret's name, in the Subscription's namespace */
                secret: string;
                /** @description where a token is had for client credentials (RFC 6749 section 4.4) */
                tokenEndpoint?: string;
            };
            signing?: {
                /** @description the Secret whose key secrets signs: whsec_ and base64; two, apart by a space, while one is replaced */
                secret: string;
            };
            /** @description further certificate authorities of the sink, PEM */
            ca?: string;
            /** @description nothing is sent; what happens meanwhile waits */
            paused?: boolean;
            /** @description of changes that wait only the newest is sent, and never without the last, deleted */
            merge?: boolean;
            /** @description how long events can be pulled and replayed; without a sink 3600 unless given */
            keepSeconds?: number;
            /** @description a new word sends a sample */
            test?: string;
            /** @description a new id sends anew what is kept since a cursor */
            replay?: {
                id: string;
                after?: string;
            };
        };
        SubscriptionStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description what of the sink was checked */
            verified?: string;
            /** @description the Secret of Megrez's own that holds a copy */
            credentials?: string;
            tested?: {
                id: string;
                time: string;
                outcome: string;
                code?: number;
            };
            /** @description id of the last replay */
            replayed?: string;
            /**
             * @description open: the sink does not answer, and is tried ever more seldom
             * @enum {string}
             */
            circuit?: "open" | "closed";
            /** @description objects whose next notice is refused again and again */
            parkedCount?: number;
            parked?: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
                sequence: number;
                since: string;
                reason: string;
            }[];
            /** @description notices that the sink has not taken within the horizon */
            givenUp?: number;
            /** @description the generation whose sink answered 410: it is told of no more */
            goneAt?: number;
        };
        /** @description Who is told of which objects' changes, in which form; without a sink events are pulled. */
        Subscription: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Subscription";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["SubscriptionSpec"];
            status?: components["schemas"]["SubscriptionStatus"];
        };
        /** @description Subscription as it is sent. The status is ours: what is sent of it is not looked at. */
        SubscriptionDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Subscription";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["SubscriptionSpec"];
            status?: components["schemas"]["SubscriptionStatus"];
        };
        SubscriptionList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "SubscriptionList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Subscription"][];
        };
        NoticeSpec: {
            of: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            };
            sequence: number;
            /** @enum {string} */
            phase: "pending" | "ready" | "error" | "terminating" | "deleted";
            /** Format: date-time */
            time: string;
            /** @description the object's own; absent: only Subscriptions are told */
            callbackURL?: string;
            /** @description UIDs of those that are to be told */
            subscriptions?: string[];
            /**
             * Format: date-time
             * @description kept for pulling and replay until then
             */
            keepUntil?: string;
            /** @description the whole object as it is about to be */
            object: {
                [key: string]: unknown;
            };
        };
        NoticeStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase; names the notice of each */
            sequence?: number;
            conditions?: {
                type: string;
                /** @enum {string} */
                status: "True" | "False" | "Unknown";
                reason: string;
                message: string;
                observedGeneration?: number;
                /** Format: date-time */
                lastTransitionTime: string;
            }[];
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description who has acknowledged it: UIDs of Subscriptions, and callback */
            taken?: string[];
            /** @description its resourceVersion before the first acknowledgement: its place among events */
            filed?: string;
        };
        /** @description One change of phase that somebody asked to be told: the outbox, kept until it is acknowledged. */
        Notice: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Notice";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NoticeSpec"];
            status?: components["schemas"]["NoticeStatus"];
        };
        NoticeList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "NoticeList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Notice"][];
        };
        /** @description Kubernetes' own pod spec. Alkaid's `vpc`, `nics` and `VMs` are taken here too, and rewritten to annotations and containers before the pod is stored. */
        PodSpec: {
            /** @description the Vpc of the pod's Nics, as name or namespace/name */
            vpc?: string;
            /** @description the pod's Nics */
            nics?: {
                [key: string]: unknown;
            }[];
            /** @description one VM in place of containers */
            VMs?: {
                [key: string]: unknown;
            }[];
        } & {
            [key: string]: unknown;
        };
        /** @description as Kubernetes has it */
        PodStatus: {
            [key: string]: unknown;
        };
        /** @description A Kubernetes pod, kept here where there is no API server. */
        Pod: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Pod";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["PodSpec"];
            status?: components["schemas"]["PodStatus"];
        };
        /** @description Pod as it is sent. The status is ours: what is sent of it is not looked at. */
        PodDraft: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Pod";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["PodSpec"];
            status?: components["schemas"]["PodStatus"];
        };
        PodList: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "PodList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Pod"][];
        };
        /** @description as Kubernetes has it */
        NodeSpec: {
            [key: string]: unknown;
        };
        /** @description as Kubernetes has it */
        NodeStatus: {
            [key: string]: unknown;
        };
        /** @description A Kubernetes node, kept here where there is no API server. */
        Node: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Node";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NodeSpec"];
            status?: components["schemas"]["NodeStatus"];
        };
        /** @description Node as it is sent. The status is ours: what is sent of it is not looked at. */
        NodeDraft: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Node";
            metadata: components["schemas"]["MetaDraft"];
            spec?: components["schemas"]["NodeSpec"];
            status?: components["schemas"]["NodeStatus"];
        };
        NodeList: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "NodeList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Node"][];
        };
        /** @description as Kubernetes has it */
        NamespaceSpec: {
            [key: string]: unknown;
        };
        /** @description as Kubernetes has it */
        NamespaceStatus: {
            [key: string]: unknown;
        };
        /** @description A Kubernetes namespace, kept here where there is no API server. */
        Namespace: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Namespace";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NamespaceSpec"];
            status?: components["schemas"]["NamespaceStatus"];
        };
        /** @description Namespace as it is sent. The status is ours: what is sent of it is not looked at. */
        NamespaceDraft: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "Namespace";
            metadata: components["schemas"]["MetaDraft"];
            spec?: components["schemas"]["NamespaceSpec"];
            status?: components["schemas"]["NamespaceStatus"];
        };
        NamespaceList: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "NamespaceList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Namespace"][];
        };
        /** @description as Kubernetes has it */
        EventSpec: {
            [key: string]: unknown;
        };
        /** @description as Kubernetes has it */
        EventStatus: {
            [key: string]: unknown;
        };
        /** @description What happened to an object (events.k8s.io/v1), its fields under spec. */
        Event: {
            /** @enum {string} */
            apiVersion: "events.k8s.io/v1";
            /** @enum {string} */
            kind: "Event";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["EventSpec"];
            status?: components["schemas"]["EventStatus"];
        };
        EventList: {
            /** @enum {string} */
            apiVersion: "events.k8s.io/v1";
            /** @enum {string} */
            kind: "EventList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Event"][];
        };
        Fault: {
            /** @description JSON pointer (RFC 6901) of the field */
            pointer?: string;
            /** @description the query parameter, where the fault is in the address */
            parameter?: string;
            /** @description what is wrong, and what would be right */
            detail: string;
        };
        /** @description An error (RFC 9457). */
        Problem: {
            /** @description a URI that names the error and never changes */
            type: string;
            title: string;
            status: number;
            /** @description the error's code, listed in docs/errors.md */
            code: string;
            detail?: string;
            instance?: string;
            /** @description every field at fault */
            errors?: components["schemas"]["Fault"][];
        };
    };
    responses: {
        /** @description The request cannot be read. */
        Malformed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A valid bearer token is needed. */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This token may not, or the namespace is being deleted. */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is none of that name. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not offered here: where there is an API server, that is its affair. */
        MethodNotAllowed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is there already, it has changed meanwhile, or an address it asks for is taken. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The changes since then are no longer kept: list again. */
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is no longer at the ETag in If-Match. */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        TooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This media type is not taken here. */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A field is at fault; `errors` names each with its JSON pointer. */
        Invalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description If-Match is missing. */
        PreconditionRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The store does not answer; worth trying again. */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        namespace: string;
        name: string;
        /** @description items in a page */
        limit: number;
        /** @description what the page before said */
        continue: string;
        /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
        labelSelector: string;
        /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
        fieldSelector: string;
        /** @description the changes as text/event-stream, in place of a page */
        watch: boolean;
        /** @description judge and answer as always, and store nothing */
        dryRun: boolean;
        /** @description with watch: only the changes since then */
        resourceVersion: string;
        /** @description the ETag that was read, or * for any */
        "If-Match": string;
        /** @description with watch: the id of the last event that was seen */
        "Last-Event-ID": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVpcs: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VpcList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createVpc: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VpcDraft"];
                "application/yaml": components["schemas"]["VpcDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVpc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceVpc: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VpcDraft"];
                "application/yaml": components["schemas"]["VpcDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteVpc: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchVpc: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllVpcs: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VpcList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubnets: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubnetList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubnet: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubnetDraft"];
                "application/yaml": components["schemas"]["SubnetDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubnet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceSubnet: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubnetDraft"];
                "application/yaml": components["schemas"]["SubnetDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubnet: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchSubnet: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSubnets: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubnetList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPorts: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPort: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortDraft"];
                "application/yaml": components["schemas"]["PortDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPort: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replacePort: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PortDraft"];
                "application/yaml": components["schemas"]["PortDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePort: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPort: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPorts: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIPLocks: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IPLockList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIPLock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IPLock"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllIPLocks: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IPLockList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegmentLocks: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentLockList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSegmentLock: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentLock"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroupList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSecurityGroup: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecurityGroupDraft"];
                "application/yaml": components["schemas"]["SecurityGroupDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSecurityGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceSecurityGroup: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecurityGroupDraft"];
                "application/yaml": components["schemas"]["SecurityGroupDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSecurityGroup: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchSecurityGroup: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroupList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionDraft"];
                "application/yaml": components["schemas"]["SubscriptionDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceSubscription: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubscriptionDraft"];
                "application/yaml": components["schemas"]["SubscriptionDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubscription: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchSubscription: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSubscriptions: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubscriptionList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotices: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notice"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllNotices: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoticeList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNamespaces: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NamespaceList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNamespace: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespaceDraft"];
                "application/yaml": components["schemas"]["NamespaceDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNamespace: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceNamespace: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamespaceDraft"];
                "application/yaml": components["schemas"]["NamespaceDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNamespace: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNamespace: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNodes: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodeList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNode: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodeDraft"];
                "application/yaml": components["schemas"]["NodeDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNode: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceNode: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodeDraft"];
                "application/yaml": components["schemas"]["NodeDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNode: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNode: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNodeStatus: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPods: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PodList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPod: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PodDraft"];
                "application/yaml": components["schemas"]["PodDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    /** @description where it is */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPod: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    replacePod: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PodDraft"];
                "application/yaml": components["schemas"]["PodDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    deletePod: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description With dryRun: it would go. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. */
            202: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description It is gone. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPod: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchPodStatus: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPods: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PodList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is stored. */
            200: {
                headers: {
                    /** @description the object's version; If-Match wants it back */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description If-None-Match names it as it is. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllEvents: {
        parameters: {
            query?: {
                /** @description items in a page */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page */
                watch?: components["parameters"]["watch"];
                /** @description with watch: only the changes since then */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them, in order of namespace and name; with `watch=true` the changes as server-sent events. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            503: components["responses"]["Unavailable"];
        };
    };
    isAlive: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    isReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description They are. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description What is missing, a line each. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metrics. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
        };
    };
    getDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        [key: string]: unknown;
                    };
                };
            };
        };
    };
    phaseChanged: {
        parameters: {
            query?: never;
            header: {
                /** @description the same for each sending of one change */
                "webhook-id": string;
                /** @description seconds since 1970 */
                "webhook-timestamp": string;
                /** @description `v1,` and the base64 of HMAC-SHA256 over id, timestamp and body, joined by dots */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description Acknowledged: it is not sent again. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Sent again later. */
            default: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
