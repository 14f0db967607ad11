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
    "/v1/namespaces/{namespace}/l2services": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch L2Service objects */
        get: operations["listL2Services"];
        put?: never;
        /** Make a L2Service */
        post: operations["createL2Service"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/l2services/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a L2Service */
        get: operations["getL2Service"];
        /** Replace the spec, labels and annotations of a L2Service */
        put: operations["replaceL2Service"];
        post?: never;
        /** Delete a L2Service */
        delete: operations["deleteL2Service"];
        options?: never;
        head?: never;
        /** Change parts of a L2Service */
        patch: operations["patchL2Service"];
        trace?: never;
    };
    "/v1/l2services": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch L2Service objects of all namespaces */
        get: operations["listAllL2Services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/l2serviceattachments": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch L2ServiceAttachment objects */
        get: operations["listL2ServiceAttachments"];
        put?: never;
        /** Make a L2ServiceAttachment */
        post: operations["createL2ServiceAttachment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/l2serviceattachments/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a L2ServiceAttachment */
        get: operations["getL2ServiceAttachment"];
        /** Replace the spec, labels and annotations of a L2ServiceAttachment */
        put: operations["replaceL2ServiceAttachment"];
        post?: never;
        /** Delete a L2ServiceAttachment */
        delete: operations["deleteL2ServiceAttachment"];
        options?: never;
        head?: never;
        /** Change parts of a L2ServiceAttachment */
        patch: operations["patchL2ServiceAttachment"];
        trace?: never;
    };
    "/v1/l2serviceattachments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch L2ServiceAttachment objects of all namespaces */
        get: operations["listAllL2ServiceAttachments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectionpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch ConnectionPoint objects */
        get: operations["listConnectionPoints"];
        put?: never;
        /** Make a ConnectionPoint */
        post: operations["createConnectionPoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/connectionpoints/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a ConnectionPoint */
        get: operations["getConnectionPoint"];
        /** Replace the spec, labels and annotations of a ConnectionPoint */
        put: operations["replaceConnectionPoint"];
        post?: never;
        /** Delete a ConnectionPoint */
        delete: operations["deleteConnectionPoint"];
        options?: never;
        head?: never;
        /** Change parts of a ConnectionPoint */
        patch: operations["patchConnectionPoint"];
        trace?: never;
    };
    "/v1/nodepools": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch NodePool objects */
        get: operations["listNodePools"];
        put?: never;
        /** Make a NodePool */
        post: operations["createNodePool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/nodepools/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a NodePool */
        get: operations["getNodePool"];
        /** Replace the spec, labels and annotations of a NodePool */
        put: operations["replaceNodePool"];
        post?: never;
        /** Delete a NodePool */
        delete: operations["deleteNodePool"];
        options?: never;
        head?: never;
        /** Change parts of a NodePool */
        patch: operations["patchNodePool"];
        trace?: never;
    };
    "/v1/fabrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Fabric objects */
        get: operations["listFabrics"];
        put?: never;
        /** Make a Fabric */
        post: operations["createFabric"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/fabrics/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Fabric */
        get: operations["getFabric"];
        /** Replace the spec, labels and annotations of a Fabric */
        put: operations["replaceFabric"];
        post?: never;
        /** Delete a Fabric */
        delete: operations["deleteFabric"];
        options?: never;
        head?: never;
        /** Change parts of a Fabric */
        patch: operations["patchFabric"];
        trace?: never;
    };
    "/v1/l2bridgedomains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch L2BridgeDomain objects */
        get: operations["listL2BridgeDomains"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/l2bridgedomains/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a L2BridgeDomain */
        get: operations["getL2BridgeDomain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/inquiries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch Inquiry objects */
        get: operations["listInquiries"];
        put?: never;
        /** Make a Inquiry */
        post: operations["createInquiry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/inquiries/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Inquiry */
        get: operations["getInquiry"];
        /** Replace the spec, labels and annotations of a Inquiry */
        put: operations["replaceInquiry"];
        post?: never;
        /** Delete a Inquiry */
        delete: operations["deleteInquiry"];
        options?: never;
        head?: never;
        /** Change parts of a Inquiry */
        patch: operations["patchInquiry"];
        trace?: never;
    };
    "/v1/inquiries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Inquiry objects of all namespaces */
        get: operations["listAllInquiries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clouds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Cloud objects */
        get: operations["listClouds"];
        put?: never;
        /** Make a Cloud */
        post: operations["createCloud"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clouds/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Cloud */
        get: operations["getCloud"];
        /** Replace the spec, labels and annotations of a Cloud */
        put: operations["replaceCloud"];
        post?: never;
        /** Delete a Cloud */
        delete: operations["deleteCloud"];
        options?: never;
        head?: never;
        /** Change parts of a Cloud */
        patch: operations["patchCloud"];
        trace?: never;
    };
    "/v1/namespaces/{namespace}/cloudsecuritygroups": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch CloudSecurityGroup objects */
        get: operations["listCloudSecurityGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/cloudsecuritygroups/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a CloudSecurityGroup */
        get: operations["getCloudSecurityGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/cloudsecuritygroups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch CloudSecurityGroup objects of all namespaces */
        get: operations["listAllCloudSecurityGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch Audit objects */
        get: operations["listAudits"];
        put?: never;
        /** Make a Audit */
        post: operations["createAudit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/audits/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a Audit */
        get: operations["getAudit"];
        /** Replace the spec, labels and annotations of a Audit */
        put: operations["replaceAudit"];
        post?: never;
        /** Delete a Audit */
        delete: operations["deleteAudit"];
        options?: never;
        head?: never;
        /** Change parts of a Audit */
        patch: operations["patchAudit"];
        trace?: never;
    };
    "/v1/namespaces/{namespace}/unifiednetworkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch UnifiedNetworkPolicy objects */
        get: operations["listUnifiedNetworkPolicies"];
        put?: never;
        /** Make a UnifiedNetworkPolicy */
        post: operations["createUnifiedNetworkPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/unifiednetworkpolicies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a UnifiedNetworkPolicy */
        get: operations["getUnifiedNetworkPolicy"];
        /** Replace the spec, labels and annotations of a UnifiedNetworkPolicy */
        put: operations["replaceUnifiedNetworkPolicy"];
        post?: never;
        /** Delete a UnifiedNetworkPolicy */
        delete: operations["deleteUnifiedNetworkPolicy"];
        options?: never;
        head?: never;
        /** Change parts of a UnifiedNetworkPolicy */
        patch: operations["patchUnifiedNetworkPolicy"];
        trace?: never;
    };
    "/v1/unifiednetworkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch UnifiedNetworkPolicy objects of all namespaces */
        get: operations["listAllUnifiedNetworkPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/policyidentities": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch PolicyIdentity objects */
        get: operations["listPolicyIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/policyidentities/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a PolicyIdentity */
        get: operations["getPolicyIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policyidentities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch PolicyIdentity objects of all namespaces */
        get: operations["listAllPolicyIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/policyrulesets": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch PolicyRuleSet objects */
        get: operations["listPolicyRuleSets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/policyrulesets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a PolicyRuleSet */
        get: operations["getPolicyRuleSet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policyrulesets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch PolicyRuleSet objects of all namespaces */
        get: operations["listAllPolicyRuleSets"];
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
    "/v1/namespaces/{namespace}/network-attachment-definitions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch NetworkAttachmentDefinition objects */
        get: operations["listNetworkAttachmentDefinitioions"];
        put?: never;
        /** Make a NetworkAttachmentDefinition */
        post: operations["createNetworkAttachmentDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/network-attachment-definitions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a NetworkAttachmentDefinition */
        get: operations["getNetworkAttachmentDefinition"];
        /** Replace the spec, labels and annotations of a NetworkAttachmentDefinition */
        put: operations["replaceNetworkAttachmentDefinition"];
        post?: never;
        /** Delete a NetworkAttachmentDefinition */
        delete: operations["deleteNetworkAttachmentDefinition"];
        options?: never;
        head?: never;
        /** Change parts of a NetworkAttachmentDefinition */
        patch: operations["patchNetworkAttachmentDefinition"];
        trace?: never;
    };
    "/v1/network-attachment-definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch NetworkAttachmentDefinition objects of all namespaces */
        get: operations["listAllNetworkAttachmentDefinitioions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/networkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** List or watch NetworkPolicy objects */
        get: operations["listNetworkPolicies"];
        put?: never;
        /** Make a NetworkPolicy */
        post: operations["createNetworkPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/networkpolicies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a NetworkPolicy */
        get: operations["getNetworkPolicy"];
        /** Replace the spec, labels and annotations of a NetworkPolicy */
        put: operations["replaceNetworkPolicy"];
        post?: never;
        /** Delete a NetworkPolicy */
        delete: operations["deleteNetworkPolicy"];
        options?: never;
        head?: never;
        /** Change parts of a NetworkPolicy */
        patch: operations["patchNetworkPolicy"];
        trace?: never;
    };
    "/v1/networkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch NetworkPolicy objects of all namespaces */
        get: operations["listAllNetworkPolicies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/adminnetworkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch AdminNetworkPolicy objects */
        get: operations["listAdminNetworkPolicies"];
        put?: never;
        /** Make a AdminNetworkPolicy */
        post: operations["createAdminNetworkPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/adminnetworkpolicies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a AdminNetworkPolicy */
        get: operations["getAdminNetworkPolicy"];
        /** Replace the spec, labels and annotations of a AdminNetworkPolicy */
        put: operations["replaceAdminNetworkPolicy"];
        post?: never;
        /** Delete a AdminNetworkPolicy */
        delete: operations["deleteAdminNetworkPolicy"];
        options?: never;
        head?: never;
        /** Change parts of a AdminNetworkPolicy */
        patch: operations["patchAdminNetworkPolicy"];
        trace?: never;
    };
    "/v1/baselineadminnetworkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch BaselineAdminNetworkPolicy objects */
        get: operations["listBaselineAdminNetworkPolicies"];
        put?: never;
        /** Make a BaselineAdminNetworkPolicy */
        post: operations["createBaselineAdminNetworkPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/baselineadminnetworkpolicies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a BaselineAdminNetworkPolicy */
        get: operations["getBaselineAdminNetworkPolicy"];
        /** Replace the spec, labels and annotations of a BaselineAdminNetworkPolicy */
        put: operations["replaceBaselineAdminNetworkPolicy"];
        post?: never;
        /** Delete a BaselineAdminNetworkPolicy */
        delete: operations["deleteBaselineAdminNetworkPolicy"];
        options?: never;
        head?: never;
        /** Change parts of a BaselineAdminNetworkPolicy */
        patch: operations["patchBaselineAdminNetworkPolicy"];
        trace?: never;
    };
    "/v1/clusternetworkpolicies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List or watch ClusterNetworkPolicy objects */
        get: operations["listClusterNetworkPolicies"];
        put?: never;
        /** Make a ClusterNetworkPolicy */
        post: operations["createClusterNetworkPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/clusternetworkpolicies/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Read a ClusterNetworkPolicy */
        get: operations["getClusterNetworkPolicy"];
        /** Replace the spec, labels and annotations of a ClusterNetworkPolicy */
        put: operations["replaceClusterNetworkPolicy"];
        post?: never;
        /** Delete a ClusterNetworkPolicy */
        delete: operations["deleteClusterNetworkPolicy"];
        options?: never;
        head?: never;
        /** Change parts of a ClusterNetworkPolicy */
        patch: operations["patchClusterNetworkPolicy"];
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
    "/v1/namespaces/{namespace}/operations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** How far something is that was asked for */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/operations/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** How far something is that was asked for */
        get: operations["getClusterOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who asks, and which verbs of which kinds they may use where: what a page offers */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Many kinds on one stream: all there is, then the changes */
        get: operations["watchKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topology": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The network as a graph of what the caller may see, a page of whole VNIs and physical networks at a time */
        get: operations["getTopology"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/topology/picture": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The network as it is drawn, of so many elements at most whatever its size: groups with their counts, and what is in the open ones */
        get: operations["getTopologyPicture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uses/{kind}/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** What an object refers to, and what refers to it: to be read before it is deleted */
        get: operations["getUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/uses/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** What an object refers to, and what refers to it: to be read before it is deleted */
        get: operations["getClusterUses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Objects by name, address, MAC, portID, VNI or VLAN, among those that the caller may see */
        get: operations["search"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/explain/{kind}/{namespace}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Why an object is as it is: its way in steps, what holds it up, and what a person can do */
        get: operations["explain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/explain/{kind}/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Why an object is as it is: its way in steps, what holds it up, and what a person can do */
        get: operations["explainCluster"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/trace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What policies say of a connection, tier by tier, with the rule that decides, and the way of its first packet */
        get: operations["tracePolicy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who can talk to whom in a Vpc, as far as the caller sees its Ports */
        get: operations["getPolicyMatrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/policy/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What policies would change in a Vpc if they were stored or deleted; nothing is stored */
        post: operations["planPolicies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/nsd": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The Subnets, L2Services and L2ServiceAttachments that a network service descriptor comes to; nothing is stored */
        post: operations["planNsd"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/secrets/{name}": {
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
        /** Keep what Subscriptions authenticate by, where there is no API server; it is never read back */
        put: operations["putSubscriptionSecret"];
        post?: never;
        /** Forget it */
        delete: operations["deleteSubscriptionSecret"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/signing-secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** What callbacks of the namespace are signed with, for whoever may write Subscriptions there */
        get: operations["getSigningSecret"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions/{name}/events": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        /** Events that are kept for it, oldest first, after a cursor */
        get: operations["listSubscriptionEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions/{name}/test": {
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
        /** Send a signed sample to its sink */
        post: operations["testSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions/{name}/rotate-secret": {
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
        /** Replace what its callbacks are signed with; those before sign too while they overlap */
        post: operations["rotateSubscriptionSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/subscriptions/{name}/replay": {
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
        /** Send once more what is kept, after a cursor */
        post: operations["replaySubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/sol/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** Subscriptions of the profile sol, as SOL has them */
        get: operations["listSolSubscriptions"];
        put?: never;
        /** Subscribe with SOL's own body; the callbackUri is asked by GET first, and must answer 204 */
        post: operations["createSolSubscription"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/sol/subscriptions/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        /** Read one, by its id */
        get: operations["getSolSubscription"];
        put?: never;
        post?: never;
        /** Be told no more */
        delete: operations["deleteSolSubscription"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/namespaces/{namespace}/sol/api_versions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        /** Which versions are known */
        get: operations["listSolVersions"];
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
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document, for people */
        get: operations["getDocs"];
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
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The page */
        get: operations["getPage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sign in a browser, by a one-time code of `npm start`, or at the OpenID provider */
        get: operations["signIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-in/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the OpenID provider sends the browser back to; other parameters are not looked at */
        get: operations["signInCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether this browser is signed in, and how it would be */
        get: operations["getSession"];
        put?: never;
        /** Exchange a token for the cookie; Origin must be the page itself */
        post: operations["beginSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End the session of this browser; Origin must be the page itself */
        post: operations["signOut"];
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
            /** @description as an API server says it of what is being deleted */
            deletionGracePeriodSeconds?: number;
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
            /** @description as an API server says it of what is being deleted */
            deletionGracePeriodSeconds?: number;
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
        /** @description labels, annotations and owners change; all else may be said as it is, and not otherwise */
        MetaPatch: {
            name?: string | null;
            /** @description absent for cluster kinds */
            namespace?: string | null;
            /** @description in place of a name: five characters are put behind it */
            generateName?: string | null;
            uid?: string | null;
            /** @description opaque; also the ETag, in quotes */
            resourceVersion?: string | null;
            /** @description counts changes of the spec */
            generation?: number | null;
            /** Format: date-time */
            creationTimestamp?: string | null;
            /**
             * Format: date-time
             * @description set while finalizers keep it
             */
            deletionTimestamp?: string | null;
            /** @description as an API server says it of what is being deleted */
            deletionGracePeriodSeconds?: number | null;
            finalizers?: string[] | null;
            labels?: {
                [key: string]: string | null;
            } | null;
            annotations?: {
                [key: string]: string | null;
            } | null;
            ownerReferences?: components["schemas"]["OwnerReference"][] | null;
        };
        VpcSpec: {
            /**
             * @description who makes the Ports
             * @default builtin
             * @enum {string}
             */
            provider?: "builtin" | "memory" | "neutron" | "alcor";
            /** @description the Cloud, for providers that are of one */
            cloud?: string;
            /** @description name or ID of what is there already at the cloud: it is adopted, is not changed, and stays when this object goes */
            existing?: string;
            /** @description VXLAN network identifier; chosen by us when absent */
            vni?: number;
            /** @description it is this VLAN of a physical network, in place of a VNI */
            vlan?: {
                physicalNetwork: string;
                id: number;
            };
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
            /** @description in place of a VNI */
            vlan?: {
                physicalNetwork: string;
                id: number;
            };
            /** @description the number, above all VNIs, by which locks and policies know that VLAN */
            segment?: number;
            /** @description the Cloud where it stands */
            cloud?: string;
            /** @description what the provider calls it */
            providerID?: string;
            /**
             * @description as the cloud says
             * @enum {string}
             */
            state?: "building" | "down" | "active" | "failed";
            /** @description of the cloud, counted by it */
            revision?: string;
            /**
             * Format: date-time
             * @description when it was last asked for: a request may be under way for a while after that
             */
            requestedAt?: string;
            /** @description of the network at the cloud */
            mtu?: number;
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
        /** @description Kept as it was made: provider, cloud, existing, vni, vlan. Refused, too: spec.cloud is named where the provider is of a cloud, and only there; spec.existing is for a Vpc of a cloud; spec.vni is for a Vpc of the builtin provider: a cloud numbers its networks itself; spec.vlan is for a Vpc of the builtin provider, and stands in place of a vni. */
        VpcSpecPatch: {
            /** @description the Subnet of a Nic that names none */
            defaultSubnet?: string | null;
            /** @description namespaces whose pods may refer to this Vpc as namespace/name */
            sharedWith?: string[] | null;
            /** @description bytes of a pod's packet */
            mtu?: number | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a Vpc (RFC 7396): a null takes a field away */
        VpcPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Vpc" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["VpcSpecPatch"];
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
            vpc?: string;
            /** @description name or ID of what is there already at the cloud: it is adopted, is not changed, and stays when this object goes */
            existing?: string;
            /** @description the L2Service, in this namespace, in place of a Vpc */
            l2Service?: string;
            /**
             * @description who hands out its addresses where a CNI plugin asks: whereabouts when absent; megrez does not yet; for L2Services alone
             * @enum {string}
             */
            ipam?: "whereabouts" | "megrez";
            /** @description the IPv4 block; one that is wanted later is a Subnet of its own */
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
            /** @description the IPv6 block; one that is wanted later is a Subnet of its own */
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
                domain?: string;
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
            /** @description in place of a VNI */
            vlan?: {
                physicalNetwork: string;
                id: number;
            };
            /** @description the number, above all VNIs, by which locks and policies know that VLAN */
            segment?: number;
            /** @description the Cloud where it stands */
            cloud?: string;
            /** @description what the provider calls it */
            providerID?: string;
            /**
             * @description as the cloud says
             * @enum {string}
             */
            state?: "building" | "down" | "active" | "failed";
            /** @description of the cloud, counted by it */
            revision?: string;
            /**
             * Format: date-time
             * @description when it was last asked for: a request may be under way for a while after that
             */
            requestedAt?: string;
            /** @description as the subnet stands at the cloud: what pods get */
            learned?: {
                ipv4?: {
                    cidr: string;
                    gateway?: string;
                };
                ipv6?: {
                    cidr: string;
                    gateway?: string;
                };
                routes?: {
                    destination: string;
                    nextHop: string;
                }[];
                dns?: {
                    nameservers?: string[];
                    domain?: string;
                    search?: string[];
                };
            };
            /** @description true once no other Subnet of the Vpc or L2Service overlaps; never false again */
            validated?: boolean;
        };
        /** @description One block of addresses per family on one segment of a Vpc or an L2Service; addresses are handed out from it. */
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
        /** @description Kept as it was made: vpc, l2Service, existing, ipv4.cidr, ipv6.cidr. Refused, too: spec names either a vpc or an l2Service; spec needs ipv4, ipv6 or both; spec.existing is for a Subnet of a Vpc of a cloud; spec.ipv4.cidr must be an IPv4 block whose host bits are zero, such as 10.0.0.0/24; spec.ipv4.gateway must be an address of the block; spec.ipv4.pools each pool must begin and end inside the block; spec.ipv4.pools each pool must begin no later than it ends; spec.ipv4.excludes each must be an address inside the block, or a block inside it whose host bits are zero; spec.ipv6.cidr must be an IPv6 block whose host bits are zero, such as 2001:db8::/64; spec.ipv6.gateway must be an address of the block; spec.ipv6.pools each pool must begin and end inside the block; spec.ipv6.pools each pool must begin no later than it ends; spec.ipv6.excludes each must be an address inside the block, or a block inside it whose host bits are zero; spec.routes each needs a destination block whose host bits are zero, and a next hop of the same family; spec.dns.nameservers each must be an IPv4 or IPv6 address. */
        SubnetSpecPatch: {
            /**
             * @description who hands out its addresses where a CNI plugin asks: whereabouts when absent; megrez does not yet; for L2Services alone
             * @enum {string|null}
             */
            ipam?: "whereabouts" | "megrez" | null;
            /** @description the IPv4 block; one that is wanted later is a Subnet of its own */
            ipv4?: {
                /** @description never handed out; the block's second address when absent and the block has five or more */
                gateway?: string | null;
                /** @description what may be handed out; all usable addresses when absent */
                pools?: {
                    first: string;
                    last: string;
                }[] | null;
                /** @description addresses or blocks that are never handed out */
                excludes?: string[] | null;
            } | null;
            /** @description the IPv6 block; one that is wanted later is a Subnet of its own */
            ipv6?: {
                /** @description never handed out; the block's second address when absent and the block has five or more */
                gateway?: string | null;
                /** @description what may be handed out; all usable addresses when absent */
                pools?: {
                    first: string;
                    last: string;
                }[] | null;
                /** @description addresses or blocks that are never handed out */
                excludes?: string[] | null;
            } | null;
            routes?: {
                destination: string;
                nextHop: string;
            }[] | null;
            dns?: {
                nameservers?: string[] | null;
                domain?: string | null;
                search?: string[] | null;
            } | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a Subnet (RFC 7396): a null takes a field away */
        SubnetPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Subnet" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["SubnetSpecPatch"];
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
            /** @description in a Vpc of a cloud that has them: name or ID of one of its QoS policies, which the port there has */
            qosPolicy?: string;
            /**
             * @description false switches anti-spoofing off
             * @default true
             */
            portSecurity?: boolean;
            /**
             * @description kernel: an interface in the pod; dpdk: a socket of its program; tap: a TAP on the node, which a hypervisor opens for its VM; a Nic may say tap of a Port that was made as kernel
             * @default kernel
             * @enum {string}
             */
            type?: "kernel" | "dpdk" | "tap";
            /** @description of a TAP: who may open it, and how */
            tap?: {
                /** @description of a user of the node who may open it without CAP_NET_ADMIN */
                uid?: number;
                /** @description of a group whose members may; with uid, that user alone, where in that group */
                gid?: number;
                /** @description a hypervisor may open several queues of it */
                multiQueue?: boolean;
            };
            /** @description the name a Nic finds this Port by, unique in its Vpc; its UID when absent. In a Vpc of a cloud: name or ID of a port that is there already, which is adopted */
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
            /** @description where it is bound; who makes a Port without a pod may name a Node whose label megrez.io/ports-without-pod takes it, and nobody changes it afterwards */
            node?: string;
            /** @description a Port without a pod: its interface has the addresses and the Subnet's routes, in a network namespace of its own on the node, where the Node's label allows it; else it has MAC and name alone */
            addressed?: boolean;
            /** @description the node that the VM of a TAP without a pod is moving to: it has a TAP there too, and is there from the first frame that its VM sends there; taken away before that, nothing is left there */
            migratingTo?: string;
            /** @description run once on the node when the interface of a Port without a pod is there, in its network namespace, if the node allows the program; ${ifname}, ${ipv4}, ${ipv6}, ${mac} are filled in */
            postCreateExec?: string[];
            /** @description the same in the node's own network, when the interface is gone */
            postDeleteExec?: string[];
            /** @description made ahead for no pod: a Port that comes takes its port at the cloud, and this one goes */
            warm?: {
                /** @description the Port of its namespace that its port at the cloud is kept for */
                for?: {
                    name: string;
                    uid: string;
                };
                /** @description the Port whose coming it was made after: its pool is sized by that, also once that is gone */
                after?: {
                    uid: string;
                    /** @description when it was created */
                    came: string;
                };
            };
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        PortStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
            /** @description in place of a VNI */
            vlan?: {
                physicalNetwork: string;
                id: number;
            };
            /** @description the number, above all VNIs, by which locks and policies know that VLAN */
            segment?: number;
            /** @description the interface on the host */
            ifcName?: string;
            /** @description of the node it is bound to */
            hostIP?: string;
            /** @description the Cloud where it stands */
            cloud?: string;
            /** @description what the provider calls it */
            providerID?: string;
            /**
             * @description as the cloud says
             * @enum {string}
             */
            state?: "building" | "down" | "active" | "failed";
            /** @description of the cloud, counted by it */
            revision?: string;
            /**
             * Format: date-time
             * @description when it was last asked for: a request may be under way for a while after that
             */
            requestedAt?: string;
            /** @description the Port made ahead whose port at the cloud it is taking */
            from?: {
                name: string;
                uid: string;
            };
            /** @description that its cloud has been asked for, as it was named */
            qosPolicy?: string;
            /** @description how its node plugs it in, where the fabric is not ours */
            vif?: {
                /** @description the Node that the cloud has bound it to */
                node: string;
                /**
                 * @description bridge: our interface on a bridge that is theirs; tap: a TAP for a VM, on that bridge where one is named; interface: theirs, moved into the pod
                 * @enum {string}
                 */
                plug: "bridge" | "tap" | "interface";
                bridge?: string;
                /** @description by which the cloud knows the interface on its bridge */
                interfaceID?: string;
                /** @description with a Linux bridge of its own in between */
                hybrid?: boolean;
                /** @description what the interface is called, where the cloud says */
                interface?: string;
                /** @description the cloud's own word: ovs, tap, vhostuser */
                type?: string;
                /** @description as the cloud says */
                details?: {
                    [key: string]: string;
                };
            };
            /** @description of a VM that is to move, how the node that it moves to plugs it in */
            nextVif?: {
                /** @description the Node that the cloud has bound it to */
                node: string;
                /**
                 * @description bridge: our interface on a bridge that is theirs; tap: a TAP for a VM, on that bridge where one is named; interface: theirs, moved into the pod
                 * @enum {string}
                 */
                plug: "bridge" | "tap" | "interface";
                bridge?: string;
                /** @description by which the cloud knows the interface on its bridge */
                interfaceID?: string;
                /** @description with a Linux bridge of its own in between */
                hybrid?: boolean;
                /** @description what the interface is called, where the cloud says */
                interface?: string;
                /** @description the cloud's own word: ovs, tap, vhostuser */
                type?: string;
                /** @description as the cloud says */
                details?: {
                    [key: string]: string;
                };
            };
            /** @description as the cloud says */
            mtu?: number;
            /** @description who judges what passes; absent: no policy of its VNI, or of its VLAN, is in force */
            policy?: {
                /** @description number of its PolicyIdentity */
                identity: number;
                /** @description names of the PolicyRuleSets that judge it: until its node has all of them, nothing passes */
                ruleSets: string[];
                /** @description the UnifiedNetworkPolicy that is in force */
                unified?: string;
            };
            /** @description the name a Nic finds it by */
            portID?: string;
            /** @description made for a pod and deleted with it */
            createdByUs?: boolean;
            /** @description of a VM that is moving, what the node says that it is moving to */
            migration?: {
                /** @description who says so: the one that migratingTo names */
                node: string;
                /** @description the Port's, of which it is said */
                generation: number;
                /** @description the TAP there, for a hypervisor to open */
                tap?: string;
                /** @description its VM has sent a frame there */
                active?: boolean;
                message?: string;
            };
            node?: {
                /** @description its interface is on its node; false once that has unwired it, or is gone for good */
                wired?: boolean;
                /** @description what its node carries it with: ovs, bess, linux */
                dataplane?: string;
                message?: string;
                /** @description the TAP on the node, for a hypervisor to open */
                tap?: string;
                postCreateExecReport?: {
                    command: string[];
                    exitStatus: number;
                    /** Format: date-time */
                    startTime: string;
                    /** Format: date-time */
                    stopTime: string;
                    stdOut: string;
                    stdErr: string;
                };
                /** @description what rules that log have logged of it, once a minute at most */
                logged?: {
                    /** @description RFC 3339 */
                    time: string;
                    /** @description since the agent began */
                    packets: number;
                    last: string;
                };
                /** @description Unsupported: what this node's data plane does not do of what was asked */
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
        /** @description Kept as it was made: subnet, ips, mac, portID, type, tap, addressed, postCreateExec. Refused, too: spec.ips each must be an IPv4 or IPv6 address; spec.ips at most one address of each family; spec.mac must be a unicast MAC address such as 02:00:00:00:00:01; spec.allowedAddressPairs each needs an address, or a block whose host bits are zero, and at most a unicast MAC address; spec.qosPolicy is not for a Port with a portID: what is adopted keeps the one it has; spec.addressed is for a Port without a pod: name its node; spec.addressed is not for a TAP: its VM has the addresses; spec.tap is for a TAP: say type tap; spec.migratingTo is for a TAP on a node: its VM moves; spec.migratingTo is where it is already. */
        PortSpecPatch: {
            securityGroups?: string[] | null;
            /** @description more sources that anti-spoofing lets pass */
            allowedAddressPairs?: {
                ip: string;
                mac?: string;
            }[] | null;
            /** @description in a Vpc of a cloud that has them: name or ID of one of its QoS policies, which the port there has */
            qosPolicy?: string | null;
            /** @description false switches anti-spoofing off */
            portSecurity?: boolean | null;
            claim?: {
                /** @description name of the pod, in the Port's namespace */
                pod?: string;
                /** @description which of the pod's Nics */
                nic?: string;
                /** @description Kind/name of the pod's controller, else Pod/name: may take over an unbound reservation */
                owner?: string;
                podUID?: string;
                /** Format: date-time */
                until?: string | null;
            } | null;
            /** @description UID of the pod that has it */
            podUID?: string | null;
            /** @description outlives the pod it was made for */
            retain?: boolean | null;
            /** @description where it is bound; who makes a Port without a pod may name a Node whose label megrez.io/ports-without-pod takes it, and nobody changes it afterwards */
            node?: string | null;
            /** @description the node that the VM of a TAP without a pod is moving to: it has a TAP there too, and is there from the first frame that its VM sends there; taken away before that, nothing is left there */
            migratingTo?: string | null;
            /** @description the same in the node's own network, when the interface is gone */
            postDeleteExec?: string[] | null;
            /** @description made ahead for no pod: a Port that comes takes its port at the cloud, and this one goes */
            warm?: {
                /** @description the Port of its namespace that its port at the cloud is kept for */
                for?: {
                    name?: string;
                    uid?: string;
                } | null;
                /** @description the Port whose coming it was made after: its pool is sized by that, also once that is gone */
                after?: {
                    uid?: string;
                    /** @description when it was created */
                    came?: string;
                } | null;
            } | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a Port (RFC 7396): a null takes a field away */
        PortPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Port" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["PortSpecPatch"];
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
            /** @description VNI, or the number that stands for a VLAN */
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
            /** @description number of its PolicyIdentity; absent: no policy of its VNI, or of its VLAN, is in force */
            identity?: number;
        };
        IPLockStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description Its existence is the right to use one address (or MAC, or portID) in one VNI, or one VLAN that is a Vpc; its name is a function of both. */
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description Its existence is the right to use a VNI, or a VLAN of one physical network; it also lists the blocks in use on it, where that is a Vpc. */
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
                 * @description icmp is the rule's etherType's
                 * @default any
                 * @enum {string}
                 */
                protocol?: "tcp" | "udp" | "icmp" | "sctp" | "any" | "icmpv6";
                /** @description the number that IP has for a protocol without a word here */
                protocolNumber?: number;
                /** @description the destination's; of ICMP the type; alone it is one port */
                l4PortMin?: number;
                /** @description where a range ends; of ICMP the code */
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description Stateful rules for Ports; what no rule allows is dropped, except that a group without a rule for what goes out lets all of it out. One called `default` is that of all builtin Ports of its namespace that name none. A cloud that makes groups has it as long as a Port there needs it. */
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
        /** @description Refused, too: spec.rules l4PortMin must not be above l4PortMax; spec.rules l4PortMin and l4PortMax are for tcp, udp, sctp and icmp; spec.rules of icmp l4PortMin is the type and l4PortMax the code, 255 at most, and a code is of a type; spec.rules a rule names protocol or protocolNumber, not both; spec.rules a rule names remoteCIDR or remoteGroup, not both; spec.rules remoteCIDR must be a block of the rule's etherType whose host bits are zero. */
        SecurityGroupSpecPatch: {
            rules?: {
                /** @enum {string} */
                direction: "ingress" | "egress";
                /**
                 * @default IPv4
                 * @enum {string}
                 */
                etherType?: "IPv4" | "IPv6";
                /**
                 * @description icmp is the rule's etherType's
                 * @default any
                 * @enum {string}
                 */
                protocol?: "tcp" | "udp" | "icmp" | "sctp" | "any" | "icmpv6";
                /** @description the number that IP has for a protocol without a word here */
                protocolNumber?: number;
                /** @description the destination's; of ICMP the type; alone it is one port */
                l4PortMin?: number;
                /** @description where a range ends; of ICMP the code */
                l4PortMax?: number;
                remoteCIDR?: string;
                /** @description the ports of another SecurityGroup of this namespace */
                remoteGroup?: string;
                description?: string;
            }[] | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a SecurityGroup (RFC 7396): a null takes a field away */
        SecurityGroupPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "SecurityGroup" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["SecurityGroupSpecPatch"];
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
             * @description what counts as a change: only the phase, or also wiring, addresses, VLANs, Unsupported, and the reason of an error
             * @default phase
             * @enum {string}
             */
            changes?: "phase" | "all";
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
                /** @description which VNF or network service an object is part of */
                nfv?: {
                    /** @description one of them is in the label, or annotation, megrez.io/vnf-instance-id */
                    vnfInstanceIds?: string[];
                    /** @description one of them is in the label, or annotation, megrez.io/vnf-instance-name */
                    vnfInstanceNames?: string[];
                    /** @description one of them is in the label, or annotation, megrez.io/vnfd-id */
                    vnfdIds?: string[];
                    /** @description one of them is what the labels, or annotations, megrez.io/vnf-provider, megrez.io/vnf-product, megrez.io/vnf-software-version, megrez.io/vnfd-version say */
                    vnfProducts?: {
                        provider: string;
                        product?: string;
                        softwareVersion?: string;
                        vnfdVersion?: string;
                    }[];
                    /** @description one of them is in the label, or annotation, megrez.io/ns-instance-id */
                    nsInstanceIds?: string[];
                    /** @description one of them is in the label, or annotation, megrez.io/ns-instance-name */
                    nsInstanceNames?: string[];
                    /** @description one of them is in the label, or annotation, megrez.io/nsd-id */
                    nsdIds?: string[];
                };
            };
            auth?: {
                /**
                 * @description by the Secret's username and password; token; clientId and clientSecret; tls.crt and tls.key; tls.crt and tls.key, at the token endpoint too (RFC 8705)
                 * @enum {string}
                 */
                type: "basic" | "bearer" | "oauth2" | "certificate" | "oauth2-certificate";
                /** @description the Secret's name, in the Subscription's namespace */
                secret: string;
                /** @description where a token is had for client credentials (RFC 6749 section 4.4) */
                tokenEndpoint?: string;
                /** @description of oauth2-certificate: who we are at the token endpoint (RFC 8705 section 2) */
                clientId?: string;
                /** @description of oauth2-certificate: the certificate must have it; x5t#S256, base64url (RFC 7515 section 4.1.8) */
                thumbprint?: string;
            };
            signing?: {
                /** @description the Secret whose key secrets signs: whsec_ and base64; two, apart by a space, while one is replaced */
                secret: string;
            };
            /** @description signs in place of `signing`; written when the secret is replaced over REST */
            rotation?: {
                /** @description the secret that signs is derived from it, and from the UID */
                id: string;
                /** @description those before it, that sign too until then */
                previous?: {
                    /** @description absent: what signed before the first was replaced */
                    id?: string;
                    /** Format: date-time */
                    until: string;
                }[];
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
            /** @description of what it is about, once every object of that has heard of it */
            begun?: string;
            /** @description the Secret of Megrez's own that holds a copy */
            credentials?: string;
            /** @description what became of the sample that was asked for last */
            tested?: {
                id: string;
                time: string;
                /** @description accepted: it was taken: any 2xx; refused: it was answered, by neither 2xx nor 3xx; redirected: it was answered by 3xx, and no redirect is followed; forbidden: the sink may not be reached, as we are set up; unknown-name: the sink's name leads to no address; unreachable: no connection could be made: nobody listens, or there is no way; untrusted: the sink's certificate is not one to be trusted for its name; no-tls: the sink does not speak TLS; slow: a connection was made, and no whole answer came in time; broken: a connection was made, and what came is no answer; no-token: there are no credentials to send it with; pending: it is not known yet */
                outcome: string;
                /** @description of the answer, where there was one */
                code?: number;
                /** @description why it was not taken, in words */
                reason?: string;
            };
            /** @description id of the last replay */
            replayed?: string;
            /** @description whether the sink takes what it is sent, since when, and why not; absent: nothing has been sent yet */
            delivering?: {
                taken: boolean;
                /** Format: date-time */
                since: string;
                reason?: string;
            };
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
        /** @description Refused, too: spec.merge only the profile eno merges; spec.auth without a sink there is nobody to authenticate to; spec.auth.tokenEndpoint oauth2 and oauth2-certificate need a tokenEndpoint, and nothing else takes one; spec.auth.clientId oauth2-certificate needs a clientId, and nothing else takes one; spec.auth.thumbprint only oauth2-certificate takes a thumbprint. */
        SubscriptionSpecPatch: {
            /** @description who is told; absent: events are pulled */
            sink?: string | null;
            /**
             * @description what is sent: the whole object, an ETSI SOL notification, or a CloudEvent
             * @enum {string|null}
             */
            profile?: "eno" | "sol" | "cloudevents" | null;
            /**
             * @description what counts as a change: only the phase, or also wiring, addresses, VLANs, Unsupported, and the reason of an error
             * @enum {string|null}
             */
            changes?: "phase" | "all" | null;
            /**
             * @description of a CloudEvent
             * @enum {string|null}
             */
            mode?: "structured" | "binary" | null;
            /**
             * @description of a SOL notification: with or without the object
             * @enum {string|null}
             */
            verbosity?: "FULL" | "SHORT" | null;
            filter?: {
                /** @description kinds, as Port */
                kinds?: string[] | null;
                /** @description only in Megrez's own namespace: elsewhere it is the Subscription's */
                namespaces?: string[] | null;
                names?: string[] | null;
                /** @description a label selector, as a=b,c!=d */
                labels?: string | null;
                phases?: ("pending" | "ready" | "error" | "terminating" | "deleted")[] | null;
                /** @description which VNF or network service an object is part of */
                nfv?: {
                    /** @description one of them is in the label, or annotation, megrez.io/vnf-instance-id */
                    vnfInstanceIds?: string[] | null;
                    /** @description one of them is in the label, or annotation, megrez.io/vnf-instance-name */
                    vnfInstanceNames?: string[] | null;
                    /** @description one of them is in the label, or annotation, megrez.io/vnfd-id */
                    vnfdIds?: string[] | null;
                    /** @description one of them is what the labels, or annotations, megrez.io/vnf-provider, megrez.io/vnf-product, megrez.io/vnf-software-version, megrez.io/vnfd-version say */
                    vnfProducts?: {
                        provider: string;
                        product?: string;
                        softwareVersion?: string;
                        vnfdVersion?: string;
                    }[] | null;
                    /** @description one of them is in the label, or annotation, megrez.io/ns-instance-id */
                    nsInstanceIds?: string[] | null;
                    /** @description one of them is in the label, or annotation, megrez.io/ns-instance-name */
                    nsInstanceNames?: string[] | null;
                    /** @description one of them is in the label, or annotation, megrez.io/nsd-id */
                    nsdIds?: string[] | null;
                } | null;
            } | null;
            auth?: {
                /**
                 * @description by the Secret's username and password; token; clientId and clientSecret; tls.crt and tls.key; tls.crt and tls.key, at the token endpoint too (RFC 8705)
                 * @enum {string}
                 */
                type?: "basic" | "bearer" | "oauth2" | "certificate" | "oauth2-certificate";
                /** @description the Secret's name, in the Subscription's namespace */
                secret?: string;
                /** @description where a token is had for client credentials (RFC 6749 section 4.4) */
                tokenEndpoint?: string | null;
                /** @description of oauth2-certificate: who we are at the token endpoint (RFC 8705 section 2) */
                clientId?: string | null;
                /** @description of oauth2-certificate: the certificate must have it; x5t#S256, base64url (RFC 7515 section 4.1.8) */
                thumbprint?: string | null;
            } | null;
            signing?: {
                /** @description the Secret whose key secrets signs: whsec_ and base64; two, apart by a space, while one is replaced */
                secret?: string;
            } | null;
            /** @description signs in place of `signing`; written when the secret is replaced over REST */
            rotation?: {
                /** @description the secret that signs is derived from it, and from the UID */
                id?: string;
                /** @description those before it, that sign too until then */
                previous?: {
                    /** @description absent: what signed before the first was replaced */
                    id?: string;
                    /** Format: date-time */
                    until: string;
                }[] | null;
            } | null;
            /** @description further certificate authorities of the sink, PEM */
            ca?: string | null;
            /** @description nothing is sent; what happens meanwhile waits */
            paused?: boolean | null;
            /** @description of changes that wait only the newest is sent, and never without the last, deleted */
            merge?: boolean | null;
            /** @description how long events can be pulled and replayed; without a sink 3600 unless given */
            keepSeconds?: number | null;
            /** @description a new word sends a sample */
            test?: string | null;
            /** @description a new id sends anew what is kept since a cursor */
            replay?: {
                id?: string;
                after?: string | null;
            } | null;
        };
        /** @description what changes of a Subscription (RFC 7396): a null takes a field away */
        SubscriptionPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Subscription" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["SubscriptionSpecPatch"];
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
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        L2ServiceSpec: {
            /** @description the VLAN; changed by opening the new one, draining the old and closing it */
            segmentationID: number;
            /** @description Subnets of this namespace, at most one of each family */
            subnets?: string[];
            /** @description physical networks on whose gateway-facing switch ports the VLAN is opened too */
            physicalNW?: string[];
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        L2ServiceStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description the VLAN that the fabric carries */
            vlan?: number;
            /** @description where attachments have asked for it */
            connectionPoints?: string[];
            /** @description 12 of 16 switch ports */
            progress?: string;
        };
        /** @description An abstract layer-2 service: one VLAN, usually joined to a routing instance of a gateway. */
        L2Service: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2Service";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["L2ServiceSpec"];
            status?: components["schemas"]["L2ServiceStatus"];
        };
        /** @description L2Service as it is sent. The status is ours: what is sent of it is not looked at. */
        L2ServiceDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2Service";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["L2ServiceSpec"];
            status?: components["schemas"]["L2ServiceStatus"];
        };
        L2ServiceSpecPatch: {
            /** @description the VLAN; changed by opening the new one, draining the old and closing it */
            segmentationID?: number;
            /** @description Subnets of this namespace, at most one of each family */
            subnets?: string[] | null;
            /** @description physical networks on whose gateway-facing switch ports the VLAN is opened too */
            physicalNW?: string[] | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a L2Service (RFC 7396): a null takes a field away */
        L2ServicePatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "L2Service" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["L2ServiceSpecPatch"];
        };
        L2ServiceList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2ServiceList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["L2Service"][];
        };
        L2ServiceAttachmentSpec: {
            /** @description L2Services of this namespace */
            l2Services: string[];
            /** @description the ConnectionPoint */
            connectionPoint: string;
            /**
             * @description what a pod sees: the first that the ConnectionPoint offers when absent
             * @enum {string}
             */
            podInterfaceType?: "kernel" | "dpdk";
            /**
             * @description access: one VLAN, untagged in the pod; selectivetrunk: those VLANs, tagged; trunk: those of all trunk attachments of the ConnectionPoint, tagged
             * @enum {string}
             */
            vlanType: "trunk" | "access" | "selectivetrunk";
            /**
             * @description chosen by us when absent
             * @enum {string}
             */
            implementation?: "ovs" | "macvlan" | "bridge" | "host-device" | "sriov" | "megrez";
            /** @description trunk: other trunk attachments may be on the same ConnectionPoint, and pods of all of them see the VLANs of all */
            sharedTrunk?: boolean;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        L2ServiceAttachmentStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description what a pod may send and receive: for shared trunks the union */
            vlans?: number[];
            /** @description whose VLANs these are: that of its ConnectionPoint */
            physicalNetwork?: string;
            implementation?: string;
            podInterfaceType?: string;
            /** @description name of the NetworkAttachmentDefinition, once it is there */
            definition?: string;
            /** @description 12 of 16 switch ports */
            progress?: string;
            /** @description who judges its pods in their VLAN; absent: no policy is in force there */
            policy?: {
                /** @description the number by which PolicyRuleSets know the VLAN: above all VNIs */
                segment: number;
                /** @description who is not among them lets nothing pass */
                judged: {
                    identity: number;
                    /** @description PolicyRuleSets that judge them */
                    ruleSets: string[];
                    /** @description their UIDs */
                    pods: string[];
                }[];
                /** @description the cluster audits: who is not among them is judged by nobody */
                audit?: boolean;
            };
        };
        /** @description Brings L2Services to a ConnectionPoint; the NetworkAttachmentDefinition of the same name is made once the fabric is open. */
        L2ServiceAttachment: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2ServiceAttachment";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["L2ServiceAttachmentSpec"];
            status?: components["schemas"]["L2ServiceAttachmentStatus"];
        };
        /** @description L2ServiceAttachment as it is sent. The status is ours: what is sent of it is not looked at. */
        L2ServiceAttachmentDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2ServiceAttachment";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["L2ServiceAttachmentSpec"];
            status?: components["schemas"]["L2ServiceAttachmentStatus"];
        };
        /** @description Refused, too: spec.l2Services access needs exactly one L2Service; spec.vlanType host-device carries trunks only; spec.sharedTrunk is for vlanType trunk. */
        L2ServiceAttachmentSpecPatch: {
            /** @description L2Services of this namespace */
            l2Services?: string[];
            /** @description the ConnectionPoint */
            connectionPoint?: string;
            /**
             * @description what a pod sees: the first that the ConnectionPoint offers when absent
             * @enum {string|null}
             */
            podInterfaceType?: "kernel" | "dpdk" | null;
            /**
             * @description access: one VLAN, untagged in the pod; selectivetrunk: those VLANs, tagged; trunk: those of all trunk attachments of the ConnectionPoint, tagged
             * @enum {string}
             */
            vlanType?: "trunk" | "access" | "selectivetrunk";
            /**
             * @description chosen by us when absent
             * @enum {string|null}
             */
            implementation?: "ovs" | "macvlan" | "bridge" | "host-device" | "sriov" | "megrez" | null;
            /** @description trunk: other trunk attachments may be on the same ConnectionPoint, and pods of all of them see the VLANs of all */
            sharedTrunk?: boolean | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a L2ServiceAttachment (RFC 7396): a null takes a field away */
        L2ServiceAttachmentPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "L2ServiceAttachment" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["L2ServiceAttachmentSpecPatch"];
        };
        L2ServiceAttachmentList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2ServiceAttachmentList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["L2ServiceAttachment"][];
        };
        ConnectionPointSpec: {
            description?: string;
            /** @description the NodePool; every pool with an interface that names this ConnectionPoint when absent */
            nodePool?: string;
            /** @description the physical network that its VLANs are numbers of; `default` when absent */
            physicalNet?: string;
            /**
             * @description the older shape: what a pod gets
             * @enum {string}
             */
            type?: "kernel" | "pcidev";
            /** @description the older shape, kernel: the bridge on the node */
            interfaceName?: string;
            /** @description the older shape, pcidev: the device plugin's resource */
            resourceName?: string;
            /** @description in the order of preference */
            supportedCnis?: {
                /** @enum {string} */
                name: "ovs" | "macvlan" | "bridge" | "host-device" | "sriov" | "megrez";
                supportedInterfaceTypes: ("kernel" | "dpdk")[];
                /** @description ovs, bridge: the bridge on the node */
                bridgeName?: string;
                /** @description macvlan: the interface below; the VLAN is a sub-interface of it named master.VLAN */
                master?: string;
                /** @description host-device, sriov: the device plugin's resource, as intel.com/sriov */
                poolName?: string;
            }[];
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        ConnectionPointStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description A named place on a pool of like nodes where L2Services can be attached. */
        ConnectionPoint: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "ConnectionPoint";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["ConnectionPointSpec"];
            status?: components["schemas"]["ConnectionPointStatus"];
        };
        /** @description ConnectionPoint as it is sent. The status is ours: what is sent of it is not looked at. */
        ConnectionPointDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "ConnectionPoint";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["ConnectionPointSpec"];
            status?: components["schemas"]["ConnectionPointStatus"];
        };
        /** @description Refused, too: spec has either type or supportedCnis; spec.resourceName pcidev needs the resource of its devices; spec.supportedCnis macvlan needs its master interface; spec.supportedCnis ovs and bridge need the name of the bridge; spec.supportedCnis host-device and sriov need the pool of their devices. */
        ConnectionPointSpecPatch: {
            description?: string | null;
            /** @description the NodePool; every pool with an interface that names this ConnectionPoint when absent */
            nodePool?: string | null;
            /** @description the physical network that its VLANs are numbers of; `default` when absent */
            physicalNet?: string | null;
            /**
             * @description the older shape: what a pod gets
             * @enum {string|null}
             */
            type?: "kernel" | "pcidev" | null;
            /** @description the older shape, kernel: the bridge on the node */
            interfaceName?: string | null;
            /** @description the older shape, pcidev: the device plugin's resource */
            resourceName?: string | null;
            /** @description in the order of preference */
            supportedCnis?: {
                /** @enum {string} */
                name: "ovs" | "macvlan" | "bridge" | "host-device" | "sriov" | "megrez";
                supportedInterfaceTypes: ("kernel" | "dpdk")[];
                /** @description ovs, bridge: the bridge on the node */
                bridgeName?: string;
                /** @description macvlan: the interface below; the VLAN is a sub-interface of it named master.VLAN */
                master?: string;
                /** @description host-device, sriov: the device plugin's resource, as intel.com/sriov */
                poolName?: string;
            }[] | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a ConnectionPoint (RFC 7396): a null takes a field away */
        ConnectionPointPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "ConnectionPoint" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["ConnectionPointSpecPatch"];
        };
        ConnectionPointList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "ConnectionPointList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["ConnectionPoint"][];
        };
        NodePoolSpec: {
            /** @description its nodes by name, beside those labelled node-pool=<name> */
            nodes?: string[];
            interfaces: {
                /** @description the interface on every node of the pool */
                name: string;
                /**
                 * @default ethernet
                 * @enum {string}
                 */
                type?: "ethernet" | "bond";
                /**
                 * @description down: no VLAN is opened on the switch ports of this interface
                 * @default up
                 * @enum {string}
                 */
                state?: "up" | "down";
                /** @description the ConnectionPoint that this interface carries */
                connectionPoint?: string;
            }[];
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        NodePoolStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description Nodes that are wired alike, and which of their interfaces carries which ConnectionPoint. */
        NodePool: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "NodePool";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NodePoolSpec"];
            status?: components["schemas"]["NodePoolStatus"];
        };
        /** @description NodePool as it is sent. The status is ours: what is sent of it is not looked at. */
        NodePoolDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "NodePool";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["NodePoolSpec"];
            status?: components["schemas"]["NodePoolStatus"];
        };
        NodePoolSpecPatch: {
            /** @description its nodes by name, beside those labelled node-pool=<name> */
            nodes?: string[] | null;
            interfaces?: {
                /** @description the interface on every node of the pool */
                name: string;
                /**
                 * @default ethernet
                 * @enum {string}
                 */
                type?: "ethernet" | "bond";
                /**
                 * @description down: no VLAN is opened on the switch ports of this interface
                 * @default up
                 * @enum {string}
                 */
                state?: "up" | "down";
                /** @description the ConnectionPoint that this interface carries */
                connectionPoint?: string;
            }[];
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a NodePool (RFC 7396): a null takes a field away */
        NodePoolPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "NodePool" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["NodePoolSpecPatch"];
        };
        NodePoolList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "NodePoolList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["NodePool"][];
        };
        FabricSpec: {
            switches: {
                name: string;
                /** @enum {string} */
                driver: "ovsdb" | "gnmi" | "neutron-trunk" | "memory";
                /** @description ovsdb: tcp:192.0.2.1:6640, ssl:… or unix:/path; gnmi: 192.0.2.1:9339; neutron-trunk: the URL of the networking API */
                address: string;
                /** @description a folder of files in the workers' credentials folder, in a cluster a mounted Secret: username, password, ca.crt, tls.crt, tls.key */
                credentials?: string;
                /** @description gnmi: no TLS */
                plaintext?: boolean;
                /** @description ovsdb: only ports of this bridge; any of the switch when absent */
                bridge?: string;
                /** @description gnmi: whose VLANs; `default` when absent */
                networkInstance?: string;
                /** @description neutron-trunk: the provider:physical_network whose VLANs are meant; needed where networks of two have one number */
                physicalNetwork?: string;
                /** @description neutron-trunk: where tokens come from (Keystone v3) */
                identity?: {
                    url: string;
                    project: string;
                    /** @description `Default` when absent */
                    domain?: string;
                };
                /**
                 * @description what to do with a port that carries every VLAN (an empty trunk list): restrict it to those that are wanted, or refuse to touch it
                 * @default restrict
                 * @enum {string}
                 */
                onUnrestricted?: "restrict" | "refuse";
            }[];
            /** @description which interface of which node is on which switch port */
            links?: {
                node: string;
                interface: string;
                switch: string;
                switchPort: string;
            }[];
            /** @description the switch ports that face the data-centre gateway, by physical network */
            gateways?: {
                physicalNetwork: string;
                switch: string;
                switchPort: string;
            }[];
            /** @description say what would be opened and closed, and change nothing */
            dryRun?: boolean;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        FabricStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            switches?: {
                name: string;
                /** @enum {string} */
                state: "reachable" | "unreachable";
                message?: string;
                /** @description VLANs that should be open and are not */
                missing?: number;
                /** @description VLANs of ours that nobody wants */
                dangling?: number;
                /** @description ports in a state that VLANs cannot be opened in */
                wrong?: number;
                /** @description VLANs that others have opened: left alone */
                foreign?: number;
            }[];
        };
        /** @description The switches of a data centre that are ours to configure, and what is plugged in where. */
        Fabric: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Fabric";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["FabricSpec"];
            status?: components["schemas"]["FabricStatus"];
        };
        /** @description Fabric as it is sent. The status is ours: what is sent of it is not looked at. */
        FabricDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Fabric";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["FabricSpec"];
            status?: components["schemas"]["FabricStatus"];
        };
        FabricSpecPatch: {
            switches?: {
                name: string;
                /** @enum {string} */
                driver: "ovsdb" | "gnmi" | "neutron-trunk" | "memory";
                /** @description ovsdb: tcp:192.0.2.1:6640, ssl:… or unix:/path; gnmi: 192.0.2.1:9339; neutron-trunk: the URL of the networking API */
                address: string;
                /** @description a folder of files in the workers' credentials folder, in a cluster a mounted Secret: username, password, ca.crt, tls.crt, tls.key */
                credentials?: string;
                /** @description gnmi: no TLS */
                plaintext?: boolean;
                /** @description ovsdb: only ports of this bridge; any of the switch when absent */
                bridge?: string;
                /** @description gnmi: whose VLANs; `default` when absent */
                networkInstance?: string;
                /** @description neutron-trunk: the provider:physical_network whose VLANs are meant; needed where networks of two have one number */
                physicalNetwork?: string;
                /** @description neutron-trunk: where tokens come from (Keystone v3) */
                identity?: {
                    url: string;
                    project: string;
                    /** @description `Default` when absent */
                    domain?: string;
                };
                /**
                 * @description what to do with a port that carries every VLAN (an empty trunk list): restrict it to those that are wanted, or refuse to touch it
                 * @default restrict
                 * @enum {string}
                 */
                onUnrestricted?: "restrict" | "refuse";
            }[];
            /** @description which interface of which node is on which switch port */
            links?: {
                node: string;
                interface: string;
                switch: string;
                switchPort: string;
            }[] | null;
            /** @description the switch ports that face the data-centre gateway, by physical network */
            gateways?: {
                physicalNetwork: string;
                switch: string;
                switchPort: string;
            }[] | null;
            /** @description say what would be opened and closed, and change nothing */
            dryRun?: boolean | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a Fabric (RFC 7396): a null takes a field away */
        FabricPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Fabric" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["FabricSpecPatch"];
        };
        FabricList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "FabricList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Fabric"][];
        };
        L2BridgeDomainSpec: {
            vlan: number;
            connectionPoints: string[];
            /** @description whose gateway-facing ports are opened too */
            physicalNW?: string[];
            /** @description VLANs of before, open until no pod is left on them */
            draining?: {
                vlan: number;
                /**
                 * Format: date-time
                 * @description from when on no pod begins with it
                 */
                since?: string;
                /** @description nobody is left on it */
                close?: boolean;
            }[];
            holder: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            };
        };
        L2BridgeDomainStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            open?: number;
            wanted?: number;
            /** @description 12 of 16 switch ports */
            progress?: string;
            /** @description where something of it may be open, as fabric/switch: written before a switch is touched */
            switches?: string[];
            /** @description VLANs that were to be closed on switch ports when they were looked at last; no VLAN is free before there are none */
            closing?: number;
            /** @description VLANs of before that are seen to be closed everywhere */
            closed?: number[];
        };
        /** @description What the fabric must carry for one L2Service: a VLAN and the ConnectionPoints that it is open on. */
        L2BridgeDomain: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2BridgeDomain";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["L2BridgeDomainSpec"];
            status?: components["schemas"]["L2BridgeDomainStatus"];
        };
        L2BridgeDomainList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "L2BridgeDomainList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["L2BridgeDomain"][];
        };
        InquirySpec: {
            /**
             * @description wiring: which interface it has; explain: what its node does for it, item by item; counters; trace: what would become of a packet from it, or to it; capture: what passes it; log: what rules of policies that say so have logged of it; inventory: what the node has of all namespaces, which Megrez alone asks
             * @enum {string}
             */
            about: "wiring" | "explain" | "counters" | "trace" | "capture" | "log" | "inventory";
            /** @description a Port of this namespace */
            port?: string;
            /** @description wiring without a port: all Ports of this namespace on this node */
            node?: string;
            packet?: {
                /** @description the address that it goes to, of one host */
                to: string;
                /** @description the address that it says it is from; the Port's unless given */
                from?: string;
                /** @description it comes to the Port from another node, which has the address `from`, and is not sent by it */
                arrives?: boolean;
                /**
                 * @default icmp
                 * @enum {string}
                 */
                protocol?: "icmp" | "tcp" | "udp";
                /** @description of TCP or UDP, where it goes to */
                l4Port?: number;
            };
            capture?: {
                /**
                 * @description it ends after so many
                 * @default 100
                 */
                packets?: number;
                /**
                 * @description it ends after so long
                 * @default 10
                 */
                seconds?: number;
                /**
                 * @description bytes that are kept of each packet
                 * @default 256
                 */
                snapLength?: number;
            };
            /** @description of an inventory: the node first puts right what is its own */
            repair?: boolean;
            /**
             * @description it is deleted so long after it was made, answered or not
             * @default 300
             */
            ttlSeconds?: number;
        };
        InquiryStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description whose agent is asked */
            node?: string;
            /** @description by the agent of the node */
            answer?: {
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                outcome: "answered" | "unsupported" | "failed";
                /** @description why there is nothing else */
                message?: string;
                dataplane: string;
                ports?: {
                    port: string;
                    wired: boolean;
                    /** @description on the node */
                    interface?: string;
                    mac?: string;
                    addresses?: string[];
                    /** @description vni 7, or VLANs of a physical network */
                    segment?: string;
                }[];
                items?: {
                    key: string;
                    /** @description the part of the data plane */
                    where: string;
                    match: string;
                    does: string;
                    because: string;
                    /** @enum {string} */
                    state: "there" | "missing" | "different";
                    /** @description what is there instead */
                    instead?: string;
                    by?: string;
                    /** @description that it was used for */
                    packets?: number;
                    /** @description of them, where they are counted */
                    bytes?: number;
                    /** @description of a rule of a policy: when that was last seen to grow */
                    lastUsed?: string;
                }[];
                /** @description sent: by the Port */
                counters?: {
                    sentPackets: number;
                    sentBytes: number;
                    receivedPackets: number;
                    receivedBytes: number;
                    dropped: number;
                };
                trace?: {
                    /** @description what was traced: where nobody answers for the next hop's MAC, the question for it, as a pod would send no more */
                    packet: string;
                    /**
                     * @description output: it leaves the switch
                     * @enum {string}
                     */
                    verdict: "output" | "drop";
                    /** @description a Port of this namespace by its name, `another port`, `tunnel`, `uplink`; `back`: the switch answers itself; `vlan`: whoever is known in its VLAN */
                    to?: string[];
                    steps: {
                        table: string;
                        match: string;
                        does: string;
                        /** @description why the rule is there */
                        because?: string;
                        /** @description what the data plane says of it */
                        note?: string;
                    }[];
                };
                capture?: {
                    packets: number;
                    bytes: number;
                    /** @description a file of libpcap, in base64 */
                    pcap: string;
                };
                /** @description the newest first */
                logged?: {
                    /**
                     * Format: date-time
                     * @description of the last of them
                     */
                    time: string;
                    packets: number;
                    /**
                     * @description audited: it changes nothing, as it is only tried out
                     * @enum {string}
                     */
                    outcome: "allowed" | "denied" | "passed-on" | "audited";
                    /** @enum {string} */
                    direction: "ingress" | "egress";
                    /** @description absent: of another namespace, or cluster-wide */
                    policy?: string;
                    /** @description a JSON pointer into the policy */
                    rule?: string;
                    packet: string;
                }[];
                /** @description what a node has */
                inventory?: {
                    ports: {
                        uid: string;
                        /** @description namespace/name */
                        port: string;
                        /** @description on the node */
                        interface?: string;
                        /** @description UID of the pod that it is wired into */
                        pod?: string;
                        /**
                         * @description wired; lost: its interface is gone; unwired: it was told to be wired, and is not; changing: it is being wired, or what is told of it is on its way
                         * @enum {string}
                         */
                        state: "wired" | "lost" | "unwired" | "changing";
                    }[];
                    interfaces: {
                        name: string;
                        /** @description of the Port that it says it is of */
                        uid?: string;
                    }[];
                    /** @description why its data plane is not as it should be, if it is not */
                    problem?: string;
                };
                /** @description there was more than an answer holds */
                truncated?: boolean;
            };
        };
        /** @description A question to the node of a Port, answered in its status by the agent of that node, and deleted after a while. */
        Inquiry: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Inquiry";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["InquirySpec"];
            status?: components["schemas"]["InquiryStatus"];
        };
        /** @description Inquiry as it is sent. The status is ours: what is sent of it is not looked at. */
        InquiryDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Inquiry";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["InquirySpec"];
            status?: components["schemas"]["InquiryStatus"];
        };
        /** @description Kept as it was made: about, port, node, packet, capture, repair, ttlSeconds. Refused, too: spec names a Port; wiring may name a node in its place; spec.node only wiring is asked of a node; spec.port an inventory is of a node; spec.repair only an inventory takes it; spec.packet a trace needs a packet, and nothing else takes one; spec.capture only a capture takes it; spec.packet.to must be the IPv4 or IPv6 address of one host; spec.packet.from must be the IPv4 or IPv6 address of one host; spec.packet.from must be of the same family as packet.to; spec.packet.from what arrives is from an address: name it; spec.packet.l4Port tcp and udp need it, and icmp has none. */
        InquirySpecPatch: Record<string, never>;
        /** @description what changes of a Inquiry (RFC 7396): a null takes a field away */
        InquiryPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Inquiry" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["InquirySpecPatch"];
        };
        InquiryList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "InquiryList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Inquiry"][];
        };
        CloudSpec: {
            /**
             * @description what it speaks
             * @enum {string}
             */
            provider: "memory" | "neutron" | "alcor";
            /** @description URL of the identity service; of a cloud that asks for no credentials, of the service itself; memory: any name */
            endpoint: string;
            /** @description a folder of files in the workers' folder of cloud credentials, in a cluster a mounted Secret */
            credentials?: string;
            /** @description of who may bind ports to nodes, where those that make ports may not; a folder beside that of credentials */
            bindingCredentials?: string;
            /** @description of the cloud's catalogue; any when absent */
            region?: string;
            /**
             * @description of the cloud's catalogue; public when absent
             * @enum {string}
             */
            interface?: "public" | "internal" | "admin";
            /** @description how long one request may take; what was asked may land for twice as long, and ends wait for that; 50 when absent */
            timeoutSeconds?: number;
            /** @description alcor: what its host agents call the interface of a port, cut to 15 characters; `veth{portID}` when absent */
            hostInterface?: string;
            /**
             * @description neutron: who chooses the MACs of ports that name none; cloud, where whoever makes ports may not, as in networks that another project shares
             * @default ours
             * @enum {string}
             */
            macs?: "ours" | "cloud";
            /** @description whose Vpcs may name it; those of any namespace when absent */
            namespaces?: string[];
            /** @description Ports made ahead, for pods to come; none when absent */
            warmPools?: {
                /**
                 * @description of each pool that has been used within the last hour
                 * @default 0
                 */
                min?: number;
                /** @description of each pool */
                max: number;
                /**
                 * @description of the cloud's quota of ports, so many are left free
                 * @default 10
                 */
                reserve?: number;
            };
            /** @description neutron: workers hear what it tells Nova of its ports (os-server-external-events); nobody is heard when absent */
            events?: {
                /**
                 * @description of the cloud's own: whoever has one of them is heard
                 * @default [
                 *       "admin",
                 *       "service"
                 *     ]
                 */
                roles?: string[];
            };
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        CloudStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description as they were within the last half minute */
            pools?: {
                /** @description of one namespace, Subnet and list of security groups each */
                pools: number;
                /** @description Ports made ahead that nobody has taken */
                ready: number;
                /** @description Ports that are being made ahead */
                making: number;
            };
            /** @description of ports, of the project of `credentials`; absent where there is no limit, or it cannot be asked */
            portQuota?: {
                /** @description ports that its project has, of ours and of others, with those that are being made */
                used: number;
                /** @description that it may have */
                limit: number;
            };
        };
        /** @description A VPC service that is not ours: where it is, and who may make networks in it. Vpcs name it. */
        Cloud: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Cloud";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["CloudSpec"];
            status?: components["schemas"]["CloudStatus"];
        };
        /** @description Cloud as it is sent. The status is ours: what is sent of it is not looked at. */
        CloudDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Cloud";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["CloudSpec"];
            status?: components["schemas"]["CloudStatus"];
        };
        /** @description Kept as it was made: provider, endpoint. Refused, too: spec.macs cloud is for neutron: other clouds have their own way; spec.events is for neutron with credentials: its Keystone is asked whose the token of an event is; spec.warmPools.min must not be more than max. */
        CloudSpecPatch: {
            /** @description a folder of files in the workers' folder of cloud credentials, in a cluster a mounted Secret */
            credentials?: string | null;
            /** @description of who may bind ports to nodes, where those that make ports may not; a folder beside that of credentials */
            bindingCredentials?: string | null;
            /** @description of the cloud's catalogue; any when absent */
            region?: string | null;
            /**
             * @description of the cloud's catalogue; public when absent
             * @enum {string|null}
             */
            interface?: "public" | "internal" | "admin" | null;
            /** @description how long one request may take; what was asked may land for twice as long, and ends wait for that; 50 when absent */
            timeoutSeconds?: number | null;
            /** @description alcor: what its host agents call the interface of a port, cut to 15 characters; `veth{portID}` when absent */
            hostInterface?: string | null;
            /**
             * @description neutron: who chooses the MACs of ports that name none; cloud, where whoever makes ports may not, as in networks that another project shares
             * @enum {string|null}
             */
            macs?: "ours" | "cloud" | null;
            /** @description whose Vpcs may name it; those of any namespace when absent */
            namespaces?: string[] | null;
            /** @description Ports made ahead, for pods to come; none when absent */
            warmPools?: {
                /** @description of each pool that has been used within the last hour */
                min?: number | null;
                /** @description of each pool */
                max?: number;
                /** @description of the cloud's quota of ports, so many are left free */
                reserve?: number | null;
            } | null;
            /** @description neutron: workers hear what it tells Nova of its ports (os-server-external-events); nobody is heard when absent */
            events?: {
                /** @description of the cloud's own: whoever has one of them is heard */
                roles?: string[] | null;
            } | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a Cloud (RFC 7396): a null takes a field away */
        CloudPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Cloud" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["CloudSpecPatch"];
        };
        CloudList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "CloudList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Cloud"][];
        };
        CloudSecurityGroupSpec: {
            /** @description of this namespace */
            group: string;
            /** @description another SecurityGroup of that name has another of these */
            groupUID: string;
            cloud: string;
        };
        CloudSecurityGroupStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description the Cloud where it stands */
            cloud?: string;
            /** @description what the provider calls it */
            providerID?: string;
            /**
             * @description as the cloud says
             * @enum {string}
             */
            state?: "building" | "down" | "active" | "failed";
            /** @description of the cloud, counted by it */
            revision?: string;
            /**
             * Format: date-time
             * @description when it was last asked for: a request may be under way for a while after that
             */
            requestedAt?: string;
            /** @description its rules have been in place there: Ports may have it */
            usable?: boolean;
        };
        /** @description A SecurityGroup as one Cloud has it, as long as a Port there needs it; its name is the UID of the SecurityGroup, a dot, and the Cloud. */
        CloudSecurityGroup: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "CloudSecurityGroup";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["CloudSecurityGroupSpec"];
            status?: components["schemas"]["CloudSecurityGroupStatus"];
        };
        CloudSecurityGroupList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "CloudSecurityGroupList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["CloudSecurityGroup"][];
        };
        AuditSpec: {
            /** @description this Cloud alone; all when absent */
            cloud?: string;
            /**
             * @description what is found, and found again once no request can be under way, is put right; else nothing is changed
             * @default false
             */
            repair?: boolean;
            /**
             * @description the Cloud is also asked what it has that is nobody's: nothing is done to it
             * @default false
             */
            strangers?: boolean;
        };
        AuditStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /**
             * Format: date-time
             * @description when it was compared first
             */
            lookedAt?: string;
            /**
             * Format: date-time
             * @description when it is compared again
             */
            dueAt?: string;
            /** @description things at clouds, and objects of ours */
            compared?: number;
            /** @description how many nodes were asked what they have */
            nodesAsked?: number;
            /** @description how many of them have answered */
            nodesAnswered?: number;
            /** @description how many findings, those that are not listed included */
            found?: number;
            /** @description how many of them are still so */
            left?: number;
            /** @description how often it was compared */
            rounds?: number;
            findings?: {
                /** @enum {string} */
                class: "orphan" | "doubled" | "missing" | "elsewhere" | "podless" | "nodeless" | "portless" | "silent" | "stuck";
                /** @description Kind namespace/name, where it is one of ours */
                object?: string;
                /** @description the Cloud, where something of it is meant */
                cloud?: string;
                /** @enum {string} */
                kind?: "network" | "subnet" | "port" | "group";
                /** @description what the cloud calls it; on a node its interface, or the UID of its Port */
                id?: string;
                /** @description the node, where something on it is meant */
                node?: string;
                message: string;
                /**
                 * @description asked: its repair is under way; gone: it is found no more
                 * @enum {string}
                 */
                repair?: "asked" | "gone";
            }[];
            strangers?: {
                cloud: string;
                /** @enum {string} */
                kind: "network" | "subnet" | "port";
                id: string;
                name: string;
                /** @description ID of the network that it is in */
                network?: string;
                /** @description ID of the subnet that it is in */
                subnet?: string;
                /** @description of a subnet */
                blocks?: string[];
                /** @description of a port */
                addresses?: string[];
                /** @description the node that it is bound to */
                host?: string;
            }[];
            /** @description there are more than an object holds */
            truncated?: boolean;
        };
        /** @description What the store, its clouds, its nodes and its pods say of each other, compared once; with repair, put right. */
        Audit: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Audit";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["AuditSpec"];
            status?: components["schemas"]["AuditStatus"];
        };
        /** @description Audit as it is sent. The status is ours: what is sent of it is not looked at. */
        AuditDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "Audit";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["AuditSpec"];
            status?: components["schemas"]["AuditStatus"];
        };
        /** @description Kept as it was made: cloud, repair, strangers. Refused, too: spec.strangers is asked of one Cloud: name it. */
        AuditSpecPatch: Record<string, never>;
        /** @description what changes of a Audit (RFC 7396): a null takes a field away */
        AuditPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "Audit" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["AuditSpecPatch"];
        };
        AuditList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "AuditList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Audit"][];
        };
        UnifiedNetworkPolicySpec: {
            /** @description pods of this namespace, and Ports without one by their own labels; {} is all */
            podSelector: {
                matchLabels?: {
                    [key: string]: string;
                };
                matchExpressions?: {
                    key: string;
                    /** @enum {string} */
                    operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                    values?: string[];
                }[];
            };
            /**
             * @description of several that select a pod the highest is in force, then the oldest, then the first by name
             * @default 0
             */
            priority?: number;
            /**
             * @description audit: what it would deny passes, and is counted
             * @default enforce
             * @enum {string}
             */
            mode?: "enforce" | "audit";
            /**
             * @description what happens to what no rule matches
             * @default {}
             */
            defaults?: {
                /**
                 * @default allow
                 * @enum {string}
                 */
                ingress?: "allow" | "deny";
                /**
                 * @default allow
                 * @enum {string}
                 */
                egress?: "allow" | "deny";
            };
            /** @description what comes in: the first rule that matches decides */
            ingress?: {
                name?: string;
                /** @enum {string} */
                action: "allow" | "deny";
                /** @description what it allows no later tier is asked about */
                final?: boolean;
                /** @description the first packets of connections that it decides are logged, and what it denies, some of each a second */
                log?: boolean;
                /** @description what it would deny passes, and is counted */
                audit?: boolean;
                /** @description absent: anyone */
                peers?: {
                    /** @description pods, and Ports without one by their own labels; of the policy's namespace */
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description of these namespaces instead of the policy's own */
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description a block whose host bits are zero */
                    cidr?: string;
                    /** @description parts of the block that are not meant */
                    except?: string[];
                    /** @description a Port of this namespace */
                    port?: string;
                    /** @description the Ports that have this SecurityGroup of this namespace */
                    securityGroup?: string;
                    /** @description the blocks of a Subnet, as name or namespace/name */
                    subnet?: string;
                    /** @description a whole name outside: its addresses as workers are answered for it, none of them in a Subnet of the VNI */
                    fqdn?: string;
                }[];
                /** @description absent: anything */
                ports?: {
                    /**
                     * @description tcp, udp, sctp, icmp, icmpv6, or the number that IP has for it
                     * @default tcp
                     */
                    protocol?: string;
                    /** @description the destination's; absent: any */
                    l4Port?: number;
                    /** @description where a range from l4Port ends */
                    l4PortMax?: number;
                    /** @description the destination's containers call it so, in place of l4Port */
                    l4PortName?: string;
                    icmpType?: number;
                    icmpCode?: number;
                }[];
                /** @description which frames */
                l2?: {
                    /** @description the other end's, as frames have it: of what is routed the gateway's */
                    mac?: string;
                    /** @description 2048 is IPv4, 34525 IPv6; of any other the rule is for frames that are no IP, and has no peers and no ports */
                    etherType?: number;
                    /** @description of an interface in VLANs, that the frame is in; in a Vpc none is */
                    vlan?: number;
                };
                /** @description of an allowing rule: bits a second, as 10G, of all connections that it allows, both ways, on each node */
                bandwidth?: {
                    max: string;
                };
                /** @description what the pods send in connections that the rule allows */
                dscp?: number;
            }[];
            /** @description what goes out: the first rule that matches decides */
            egress?: {
                name?: string;
                /** @enum {string} */
                action: "allow" | "deny";
                /** @description what it allows no later tier is asked about */
                final?: boolean;
                /** @description the first packets of connections that it decides are logged, and what it denies, some of each a second */
                log?: boolean;
                /** @description what it would deny passes, and is counted */
                audit?: boolean;
                /** @description absent: anyone */
                peers?: {
                    /** @description pods, and Ports without one by their own labels; of the policy's namespace */
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description of these namespaces instead of the policy's own */
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description a block whose host bits are zero */
                    cidr?: string;
                    /** @description parts of the block that are not meant */
                    except?: string[];
                    /** @description a Port of this namespace */
                    port?: string;
                    /** @description the Ports that have this SecurityGroup of this namespace */
                    securityGroup?: string;
                    /** @description the blocks of a Subnet, as name or namespace/name */
                    subnet?: string;
                    /** @description a whole name outside: its addresses as workers are answered for it, none of them in a Subnet of the VNI */
                    fqdn?: string;
                }[];
                /** @description absent: anything */
                ports?: {
                    /**
                     * @description tcp, udp, sctp, icmp, icmpv6, or the number that IP has for it
                     * @default tcp
                     */
                    protocol?: string;
                    /** @description the destination's; absent: any */
                    l4Port?: number;
                    /** @description where a range from l4Port ends */
                    l4PortMax?: number;
                    /** @description the destination's containers call it so, in place of l4Port */
                    l4PortName?: string;
                    icmpType?: number;
                    icmpCode?: number;
                }[];
                /** @description which frames */
                l2?: {
                    /** @description the other end's, as frames have it: of what is routed the gateway's */
                    mac?: string;
                    /** @description 2048 is IPv4, 34525 IPv6; of any other the rule is for frames that are no IP, and has no peers and no ports */
                    etherType?: number;
                    /** @description of an interface in VLANs, that the frame is in; in a Vpc none is */
                    vlan?: number;
                };
                /** @description of an allowing rule: bits a second, as 10G, of all connections that it allows, both ways, on each node */
                bandwidth?: {
                    max: string;
                };
                /** @description what the pods send in connections that the rule allows */
                dscp?: number;
            }[];
            bandwidth?: {
                /** @description of each Port of a pod; more is dropped */
                max?: {
                    /** @description bits a second, as 25G */
                    ingress?: string;
                    /** @description bits a second, as 25G */
                    egress?: string;
                };
                /** @description of each pod, bits a second as 25G; kept, and not booked yet */
                min?: string;
            };
            /** @description what its pods send is marked so, where no rule says otherwise */
            dscp?: number;
            /** @description of traffic: what its pods send is marked as the operator has it for this class, unless dscp says otherwise */
            class?: string;
            /** @description of the one NIC of a pod whose annotation megrez.io/network is policy: a Vpc of this namespace or shared with it, as name or namespace/name, vni:NUMBER, or vlan:NETWORK/NUMBER; another one moves the pod, address included */
            network?: string;
            /** @description UTC: when it is in force; to may be on the next day. Absent: always; at other times it is as if it were not there */
            schedule?: {
                days?: ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                from: string;
                to: string;
            }[];
            /**
             * @description where a rule says what is not done: deny takes it for one that allows nothing, or denies everything; allow leaves it out. A Port of a cloud, where none of it is done: deny closes it there, allow leaves it to the groups of its cloud
             * @default deny
             * @enum {string}
             */
            onUnsupported?: "deny" | "allow";
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string;
        };
        UnifiedNetworkPolicyStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
            /** @description the latest changes of phase, oldest first */
            timeline?: {
                sequence: number;
                /** Format: date-time */
                time: string;
                /** @enum {string} */
                phase: "pending" | "ready" | "error" | "terminating" | "deleted";
                reason: string;
            }[];
            /** @description of one with a schedule */
            schedule?: {
                inForce: boolean;
                /** @description RFC 3339 */
                since: string;
                /** @description when that may be otherwise, RFC 3339 */
                until: string;
            };
            /** @description names outside that its rules are about */
            names?: {
                name: string;
                addresses: {
                    address: string;
                    /** @description RFC 3339 */
                    keptUntil: string;
                }[];
                /** @description why there was no answer */
                problem?: string;
            }[];
        };
        /** @description Who may talk to the pods that it selects, and whom they may talk to; at most one is in force on a pod. */
        UnifiedNetworkPolicy: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "UnifiedNetworkPolicy";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["UnifiedNetworkPolicySpec"];
            status?: components["schemas"]["UnifiedNetworkPolicyStatus"];
        };
        /** @description UnifiedNetworkPolicy as it is sent. The status is ours: what is sent of it is not looked at. */
        UnifiedNetworkPolicyDraft: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "UnifiedNetworkPolicy";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["UnifiedNetworkPolicySpec"];
            status?: components["schemas"]["UnifiedNetworkPolicyStatus"];
        };
        /** @description Refused, too: spec.ingress a peer is named in one way: by selectors, cidr, port, securityGroup, subnet or fqdn; spec.ingress cidr must be a block whose host bits are zero; spec.ingress except must be blocks within cidr; spec.ingress only tcp, udp and sctp have ports; spec.ingress l4PortMax ends a range that l4Port begins; spec.ingress a port is named by l4Port or l4PortName, not both; spec.ingress only icmp and icmpv6 have types, and a code is of a type; spec.ingress l2.mac must be a unicast MAC address such as 02:00:00:00:00:01; spec.ingress l2.etherType must not be that of ARP, which is never judged: without it nobody finds anybody; spec.ingress l2.etherType must not be that of a tag (33024, 34984), but of what is behind it: the VLAN is l2.vlan; spec.ingress a rule with an l2.etherType that is no IP has no peers and no ports: in such frames is neither; spec.egress a peer is named in one way: by selectors, cidr, port, securityGroup, subnet or fqdn; spec.egress cidr must be a block whose host bits are zero; spec.egress except must be blocks within cidr; spec.egress only tcp, udp and sctp have ports; spec.egress l4PortMax ends a range that l4Port begins; spec.egress a port is named by l4Port or l4PortName, not both; spec.egress only icmp and icmpv6 have types, and a code is of a type; spec.egress l2.mac must be a unicast MAC address such as 02:00:00:00:00:01; spec.egress l2.etherType must not be that of ARP, which is never judged: without it nobody finds anybody; spec.egress l2.etherType must not be that of a tag (33024, 34984), but of what is behind it: the VLAN is l2.vlan; spec.egress a rule with an l2.etherType that is no IP has no peers and no ports: in such frames is neither. */
        UnifiedNetworkPolicySpecPatch: {
            /** @description pods of this namespace, and Ports without one by their own labels; {} is all */
            podSelector?: {
                matchLabels?: {
                    [key: string]: string | null;
                } | null;
                matchExpressions?: {
                    key: string;
                    /** @enum {string} */
                    operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                    values?: string[];
                }[] | null;
            };
            /** @description of several that select a pod the highest is in force, then the oldest, then the first by name */
            priority?: number | null;
            /**
             * @description audit: what it would deny passes, and is counted
             * @enum {string|null}
             */
            mode?: "enforce" | "audit" | null;
            /** @description what happens to what no rule matches */
            defaults?: {
                /** @enum {string|null} */
                ingress?: "allow" | "deny" | null;
                /** @enum {string|null} */
                egress?: "allow" | "deny" | null;
            } | null;
            /** @description what comes in: the first rule that matches decides */
            ingress?: {
                name?: string;
                /** @enum {string} */
                action: "allow" | "deny";
                /** @description what it allows no later tier is asked about */
                final?: boolean;
                /** @description the first packets of connections that it decides are logged, and what it denies, some of each a second */
                log?: boolean;
                /** @description what it would deny passes, and is counted */
                audit?: boolean;
                /** @description absent: anyone */
                peers?: {
                    /** @description pods, and Ports without one by their own labels; of the policy's namespace */
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description of these namespaces instead of the policy's own */
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description a block whose host bits are zero */
                    cidr?: string;
                    /** @description parts of the block that are not meant */
                    except?: string[];
                    /** @description a Port of this namespace */
                    port?: string;
                    /** @description the Ports that have this SecurityGroup of this namespace */
                    securityGroup?: string;
                    /** @description the blocks of a Subnet, as name or namespace/name */
                    subnet?: string;
                    /** @description a whole name outside: its addresses as workers are answered for it, none of them in a Subnet of the VNI */
                    fqdn?: string;
                }[];
                /** @description absent: anything */
                ports?: {
                    /**
                     * @description tcp, udp, sctp, icmp, icmpv6, or the number that IP has for it
                     * @default tcp
                     */
                    protocol?: string;
                    /** @description the destination's; absent: any */
                    l4Port?: number;
                    /** @description where a range from l4Port ends */
                    l4PortMax?: number;
                    /** @description the destination's containers call it so, in place of l4Port */
                    l4PortName?: string;
                    icmpType?: number;
                    icmpCode?: number;
                }[];
                /** @description which frames */
                l2?: {
                    /** @description the other end's, as frames have it: of what is routed the gateway's */
                    mac?: string;
                    /** @description 2048 is IPv4, 34525 IPv6; of any other the rule is for frames that are no IP, and has no peers and no ports */
                    etherType?: number;
                    /** @description of an interface in VLANs, that the frame is in; in a Vpc none is */
                    vlan?: number;
                };
                /** @description of an allowing rule: bits a second, as 10G, of all connections that it allows, both ways, on each node */
                bandwidth?: {
                    max: string;
                };
                /** @description what the pods send in connections that the rule allows */
                dscp?: number;
            }[] | null;
            /** @description what goes out: the first rule that matches decides */
            egress?: {
                name?: string;
                /** @enum {string} */
                action: "allow" | "deny";
                /** @description what it allows no later tier is asked about */
                final?: boolean;
                /** @description the first packets of connections that it decides are logged, and what it denies, some of each a second */
                log?: boolean;
                /** @description what it would deny passes, and is counted */
                audit?: boolean;
                /** @description absent: anyone */
                peers?: {
                    /** @description pods, and Ports without one by their own labels; of the policy's namespace */
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description of these namespaces instead of the policy's own */
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    /** @description a block whose host bits are zero */
                    cidr?: string;
                    /** @description parts of the block that are not meant */
                    except?: string[];
                    /** @description a Port of this namespace */
                    port?: string;
                    /** @description the Ports that have this SecurityGroup of this namespace */
                    securityGroup?: string;
                    /** @description the blocks of a Subnet, as name or namespace/name */
                    subnet?: string;
                    /** @description a whole name outside: its addresses as workers are answered for it, none of them in a Subnet of the VNI */
                    fqdn?: string;
                }[];
                /** @description absent: anything */
                ports?: {
                    /**
                     * @description tcp, udp, sctp, icmp, icmpv6, or the number that IP has for it
                     * @default tcp
                     */
                    protocol?: string;
                    /** @description the destination's; absent: any */
                    l4Port?: number;
                    /** @description where a range from l4Port ends */
                    l4PortMax?: number;
                    /** @description the destination's containers call it so, in place of l4Port */
                    l4PortName?: string;
                    icmpType?: number;
                    icmpCode?: number;
                }[];
                /** @description which frames */
                l2?: {
                    /** @description the other end's, as frames have it: of what is routed the gateway's */
                    mac?: string;
                    /** @description 2048 is IPv4, 34525 IPv6; of any other the rule is for frames that are no IP, and has no peers and no ports */
                    etherType?: number;
                    /** @description of an interface in VLANs, that the frame is in; in a Vpc none is */
                    vlan?: number;
                };
                /** @description of an allowing rule: bits a second, as 10G, of all connections that it allows, both ways, on each node */
                bandwidth?: {
                    max: string;
                };
                /** @description what the pods send in connections that the rule allows */
                dscp?: number;
            }[] | null;
            bandwidth?: {
                /** @description of each Port of a pod; more is dropped */
                max?: {
                    /** @description bits a second, as 25G */
                    ingress?: string | null;
                    /** @description bits a second, as 25G */
                    egress?: string | null;
                } | null;
                /** @description of each pod, bits a second as 25G; kept, and not booked yet */
                min?: string | null;
            } | null;
            /** @description what its pods send is marked so, where no rule says otherwise */
            dscp?: number | null;
            /** @description of traffic: what its pods send is marked as the operator has it for this class, unless dscp says otherwise */
            class?: string | null;
            /** @description of the one NIC of a pod whose annotation megrez.io/network is policy: a Vpc of this namespace or shared with it, as name or namespace/name, vni:NUMBER, or vlan:NETWORK/NUMBER; another one moves the pod, address included */
            network?: string | null;
            /** @description UTC: when it is in force; to may be on the next day. Absent: always; at other times it is as if it were not there */
            schedule?: {
                days?: ("Mon" | "Tue" | "Wed" | "Thu" | "Fri" | "Sat" | "Sun")[];
                from: string;
                to: string;
            }[] | null;
            /**
             * @description where a rule says what is not done: deny takes it for one that allows nothing, or denies everything; allow leaves it out. A Port of a cloud, where none of it is done: deny closes it there, allow leaves it to the groups of its cloud
             * @enum {string|null}
             */
            onUnsupported?: "deny" | "allow" | null;
            /** @description receives the whole object as JSON on each change of phase */
            callbackURL?: string | null;
        };
        /** @description what changes of a UnifiedNetworkPolicy (RFC 7396): a null takes a field away */
        UnifiedNetworkPolicyPatch: {
            /** @enum {string|null} */
            apiVersion?: "megrez.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "UnifiedNetworkPolicy" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["UnifiedNetworkPolicySpecPatch"];
        };
        UnifiedNetworkPolicyList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "UnifiedNetworkPolicyList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["UnifiedNetworkPolicy"][];
        };
        PolicyIdentitySpec: {
            vni: number;
            number: number;
            facts: {
                /** @description the Port's */
                namespace: string;
                /** @description as far as a selector in force looks at them; `*` is a value that none of them names */
                labels?: {
                    [key: string]: string;
                };
                /** @description namespace/name, in order */
                securityGroups?: string[];
                /** @description namespace/name, where a policy names it */
                port?: string;
                /** @description named ports of its containers, as far as a policy names them: `tcp/http` */
                containerPorts?: {
                    [key: string]: number;
                };
                /** @description the UnifiedNetworkPolicy that its pod's annotation names, where there is one */
                unified?: string;
            };
        };
        PolicyIdentityStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description One number for all addresses of a VNI that policies cannot tell apart; its name is `vni-` with VNI and number. */
        PolicyIdentity: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "PolicyIdentity";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["PolicyIdentitySpec"];
            status?: components["schemas"]["PolicyIdentityStatus"];
        };
        PolicyIdentityList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "PolicyIdentityList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["PolicyIdentity"][];
        };
        PolicyRuleSetSpec: {
            vni: number;
            /** @description unique in the VNI */
            number: number;
            /** @enum {string} */
            tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
            policy: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
                generation?: number;
            };
            /** @description between the policies of an ordered tier: the lowest is asked first */
            priority: number;
            /** @description what it would deny passes, and is counted */
            audit?: boolean;
            /**
             * @description what its subjects get on a node that cannot do all of it: nothing (deny, and where it is absent), or what the others let pass
             * @enum {string}
             */
            onUnsupported?: "deny" | "allow";
            /** @description whose connections it judges */
            subjects: number[];
            /** @description directions in which its subjects get nothing but what a rule of the tier allows */
            isolates: ("ingress" | "egress")[];
            /** @description of each Port that it judges */
            traffic?: {
                /** @description bits a second that it gets; more is dropped */
                maxIngress?: number;
                /** @description bits a second that it sends; more is dropped */
                maxEgress?: number;
                /** @description what it sends is marked so, where no rule says otherwise */
                dscp?: number;
            };
            rules: {
                /** @description its number in its policy: with the number of the set it names flows */
                index: number;
                /** @description where it stands: a JSON pointer into its policy */
                source: string;
                /** @enum {string} */
                direction: "ingress" | "egress";
                /** @description rules of an ordered tier: the lowest is asked first; of one level the order is no matter */
                level: number;
                /** @enum {string} */
                action: "allow" | "deny" | "pass";
                /** @description no later tier is asked */
                final?: boolean;
                /** @description what it would deny passes, and is counted */
                audit?: boolean;
                /** @description what its subjects send in connections that it allows is marked so */
                dscp?: number;
                /** @description of what it allows, both ways, on each node; more is dropped */
                max?: number;
                /** @description packets that it decides are told to the agent, some of them a second */
                log?: boolean;
                /** @description those of the set's subjects that it is for: those whose named port is this one; absent: all */
                subjects?: number[];
                /** @description absent: anyone */
                peers?: {
                    identities: number[];
                    /** @description what is excepted is taken out of them */
                    blocks: string[];
                };
                /** @description absent: anything */
                transport?: {
                    /** @description IP's number of it: 1, 6, 17, 58, 132, or another */
                    protocol: number;
                    first?: number;
                    last?: number;
                    icmpType?: number;
                    icmpCode?: number;
                }[];
                /** @description 4, 6; absent: both */
                families?: number[];
                /** @description its families are the rule's; those beside it are none where the rule allows, so that who does not know of it allows nothing by it */
                frame?: {
                    /** @description of the other end: the source of what comes in, the destination of what goes out */
                    peerMac?: string;
                    /** @description of frames that are no IP; absent: of IP too, and then of all */
                    etherType?: number;
                    /** @description that the frame is in, or its interface */
                    vlan?: number;
                    /** @description 4, 6; absent: both */
                    families?: number[];
                };
            }[];
        };
        PolicyRuleSetStatus: {
            /** @enum {string} */
            phase?: "pending" | "ready" | "error" | "terminating" | "deleted";
            message?: string;
            observedGeneration?: number;
            /** @description counts the changes of phase, and where a Subscription asks for changes: all also others; names the notice of each */
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
            /** @description of what was last told, where a Subscription asks for changes: all */
            told?: string;
            /** @description the resourceVersion of the Subscription that was the last to begin to be told of this object: no report that was planned before that lands */
            asked?: string;
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
        /** @description The rules of one policy in one VNI, compiled: what nodes enforce. Its name is `vni-` with VNI and number. */
        PolicyRuleSet: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "PolicyRuleSet";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["PolicyRuleSetSpec"];
            status?: components["schemas"]["PolicyRuleSetStatus"];
        };
        PolicyRuleSetList: {
            /** @enum {string} */
            apiVersion: "megrez.io/v1alpha1";
            /** @enum {string} */
            kind: "PolicyRuleSetList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["PolicyRuleSet"][];
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
        /** @description The node, where there is none yet; all else is kept as it was made, and so are the annotations of the Nics. */
        PodSpecPatch: {
            nodeName?: string;
        };
        /** @description what changes of a Pod (RFC 7396): a null takes a field away */
        PodPatch: {
            /** @enum {string|null} */
            apiVersion?: "v1" | null;
            /** @enum {string|null} */
            kind?: "Pod" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["PodSpecPatch"];
        };
        /** @description what changes of the status of a Pod (RFC 7396) */
        PodStatusPatch: {
            /** @enum {string|null} */
            apiVersion?: "v1" | null;
            /** @enum {string|null} */
            kind?: "Pod" | null;
            /** @description as Kubernetes has it */
            status?: {
                /** @enum {string} */
                phase?: "Pending" | "Running" | "Succeeded" | "Failed" | "Unknown";
                conditions?: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[] | null;
            } & {
                [key: string]: unknown;
            };
        } & unknown;
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
        /** @description as Kubernetes has it */
        NodeSpecPatch: {
            [key: string]: unknown;
        };
        /** @description what changes of a Node (RFC 7396): a null takes a field away */
        NodePatch: {
            /** @enum {string|null} */
            apiVersion?: "v1" | null;
            /** @enum {string|null} */
            kind?: "Node" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["NodeSpecPatch"] | null;
        };
        /** @description what changes of the status of a Node (RFC 7396) */
        NodeStatusPatch: {
            /** @enum {string|null} */
            apiVersion?: "v1" | null;
            /** @enum {string|null} */
            kind?: "Node" | null;
            /** @description as Kubernetes has it */
            status?: {
                conditions?: ({
                    type: string;
                } & {
                    [key: string]: unknown;
                })[] | null;
            } & {
                [key: string]: unknown;
            };
        } & unknown;
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
        /** @description as Kubernetes has it */
        NamespaceSpecPatch: {
            [key: string]: unknown;
        };
        /** @description what changes of a Namespace (RFC 7396): a null takes a field away */
        NamespacePatch: {
            /** @enum {string|null} */
            apiVersion?: "v1" | null;
            /** @enum {string|null} */
            kind?: "Namespace" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["NamespaceSpecPatch"] | null;
        };
        NamespaceList: {
            /** @enum {string} */
            apiVersion: "v1";
            /** @enum {string} */
            kind: "NamespaceList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["Namespace"][];
        };
        NetworkAttachmentDefinitionSpec: {
            /** @description the plugin's configuration, as JSON text */
            config?: string;
        };
        /** @description as Kubernetes has it */
        NetworkAttachmentDefinitionStatus: {
            [key: string]: unknown;
        };
        /** @description What a CNI plugin is configured with under its name (Network Plumbing Working Group, de facto standard 1.3). */
        NetworkAttachmentDefinition: {
            /** @enum {string} */
            apiVersion: "k8s.cni.cncf.io/v1";
            /** @enum {string} */
            kind: "NetworkAttachmentDefinition";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NetworkAttachmentDefinitionSpec"];
            status?: components["schemas"]["NetworkAttachmentDefinitionStatus"];
        };
        /** @description NetworkAttachmentDefinition as it is sent. The status is ours: what is sent of it is not looked at. */
        NetworkAttachmentDefinitionDraft: {
            /** @enum {string} */
            apiVersion: "k8s.cni.cncf.io/v1";
            /** @enum {string} */
            kind: "NetworkAttachmentDefinition";
            metadata: components["schemas"]["MetaDraft"];
            spec?: components["schemas"]["NetworkAttachmentDefinitionSpec"];
            status?: components["schemas"]["NetworkAttachmentDefinitionStatus"];
        };
        NetworkAttachmentDefinitionSpecPatch: {
            /** @description the plugin's configuration, as JSON text */
            config?: string | null;
        };
        /** @description what changes of a NetworkAttachmentDefinition (RFC 7396): a null takes a field away */
        NetworkAttachmentDefinitionPatch: {
            /** @enum {string|null} */
            apiVersion?: "k8s.cni.cncf.io/v1" | null;
            /** @enum {string|null} */
            kind?: "NetworkAttachmentDefinition" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["NetworkAttachmentDefinitionSpecPatch"] | null;
        };
        NetworkAttachmentDefinitionList: {
            /** @enum {string} */
            apiVersion: "k8s.cni.cncf.io/v1";
            /** @enum {string} */
            kind: "NetworkAttachmentDefinitionList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["NetworkAttachmentDefinition"][];
        };
        NetworkPolicySpec: {
            podSelector?: {
                matchLabels?: {
                    [key: string]: string;
                };
                matchExpressions?: {
                    key: string;
                    /** @enum {string} */
                    operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                    values?: string[];
                }[];
            };
            policyTypes?: ("Ingress" | "Egress")[];
            ingress?: {
                from?: {
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    ipBlock?: {
                        cidr: string;
                        except?: string[];
                    };
                }[];
                ports?: {
                    /** @enum {string} */
                    protocol?: "TCP" | "UDP" | "SCTP";
                    /** @description a number, or the name of a container's port */
                    port?: number | string;
                    endPort?: number;
                }[];
            }[];
            egress?: {
                to?: {
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    ipBlock?: {
                        cidr: string;
                        except?: string[];
                    };
                }[];
                ports?: {
                    /** @enum {string} */
                    protocol?: "TCP" | "UDP" | "SCTP";
                    /** @description a number, or the name of a container's port */
                    port?: number | string;
                    endPort?: number;
                }[];
            }[];
        };
        /** @description as Kubernetes has it */
        NetworkPolicyStatus: {
            [key: string]: unknown;
        };
        /** @description Who may talk to pods of its namespace (networking.k8s.io/v1), kept here where there is no API server; it judges our Ports. */
        NetworkPolicy: {
            /** @enum {string} */
            apiVersion: "networking.k8s.io/v1";
            /** @enum {string} */
            kind: "NetworkPolicy";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["NetworkPolicySpec"];
            status?: components["schemas"]["NetworkPolicyStatus"];
        };
        /** @description NetworkPolicy as it is sent. The status is ours: what is sent of it is not looked at. */
        NetworkPolicyDraft: {
            /** @enum {string} */
            apiVersion: "networking.k8s.io/v1";
            /** @enum {string} */
            kind: "NetworkPolicy";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["NetworkPolicySpec"];
            status?: components["schemas"]["NetworkPolicyStatus"];
        };
        NetworkPolicySpecPatch: {
            podSelector?: {
                matchLabels?: {
                    [key: string]: string;
                } | null;
                matchExpressions?: {
                    key: string;
                    /** @enum {string} */
                    operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                    values?: string[];
                }[] | null;
            } | null;
            policyTypes?: ("Ingress" | "Egress")[] | null;
            ingress?: {
                from?: {
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    ipBlock?: {
                        cidr: string;
                        except?: string[];
                    };
                }[];
                ports?: {
                    /** @enum {string} */
                    protocol?: "TCP" | "UDP" | "SCTP";
                    /** @description a number, or the name of a container's port */
                    port?: number | string;
                    endPort?: number;
                }[];
            }[] | null;
            egress?: {
                to?: {
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    ipBlock?: {
                        cidr: string;
                        except?: string[];
                    };
                }[];
                ports?: {
                    /** @enum {string} */
                    protocol?: "TCP" | "UDP" | "SCTP";
                    /** @description a number, or the name of a container's port */
                    port?: number | string;
                    endPort?: number;
                }[];
            }[] | null;
        };
        /** @description what changes of a NetworkPolicy (RFC 7396): a null takes a field away */
        NetworkPolicyPatch: {
            /** @enum {string|null} */
            apiVersion?: "networking.k8s.io/v1" | null;
            /** @enum {string|null} */
            kind?: "NetworkPolicy" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["NetworkPolicySpecPatch"];
        };
        NetworkPolicyList: {
            /** @enum {string} */
            apiVersion: "networking.k8s.io/v1";
            /** @enum {string} */
            kind: "NetworkPolicyList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["NetworkPolicy"][];
        };
        AdminNetworkPolicySpec: {
            priority: number;
            subject: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    };
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[];
                };
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                };
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[];
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[];
        };
        /** @description as Kubernetes has it */
        AdminNetworkPolicyStatus: {
            [key: string]: unknown;
        };
        /** @description The provider's rules before everybody else's (policy.networking.k8s.io/v1alpha1). */
        AdminNetworkPolicy: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "AdminNetworkPolicy";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["AdminNetworkPolicySpec"];
            status?: components["schemas"]["AdminNetworkPolicyStatus"];
        };
        /** @description AdminNetworkPolicy as it is sent. The status is ours: what is sent of it is not looked at. */
        AdminNetworkPolicyDraft: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "AdminNetworkPolicy";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["AdminNetworkPolicySpec"];
            status?: components["schemas"]["AdminNetworkPolicyStatus"];
        };
        AdminNetworkPolicySpecPatch: {
            priority?: number;
            subject?: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    } | null;
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[] | null;
                } | null;
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                } | null;
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[] | null;
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[] | null;
        };
        /** @description what changes of a AdminNetworkPolicy (RFC 7396): a null takes a field away */
        AdminNetworkPolicyPatch: {
            /** @enum {string|null} */
            apiVersion?: "policy.networking.k8s.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "AdminNetworkPolicy" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["AdminNetworkPolicySpecPatch"];
        };
        AdminNetworkPolicyList: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "AdminNetworkPolicyList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["AdminNetworkPolicy"][];
        };
        BaselineAdminNetworkPolicySpec: {
            subject: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    };
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[];
                };
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                };
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[];
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[];
        };
        /** @description as Kubernetes has it */
        BaselineAdminNetworkPolicyStatus: {
            [key: string]: unknown;
        };
        /** @description The provider's rules where no NetworkPolicy and no SecurityGroup has a say (policy.networking.k8s.io/v1alpha1). */
        BaselineAdminNetworkPolicy: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "BaselineAdminNetworkPolicy";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["BaselineAdminNetworkPolicySpec"];
            status?: components["schemas"]["BaselineAdminNetworkPolicyStatus"];
        };
        /** @description BaselineAdminNetworkPolicy as it is sent. The status is ours: what is sent of it is not looked at. */
        BaselineAdminNetworkPolicyDraft: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "BaselineAdminNetworkPolicy";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["BaselineAdminNetworkPolicySpec"];
            status?: components["schemas"]["BaselineAdminNetworkPolicyStatus"];
        };
        BaselineAdminNetworkPolicySpecPatch: {
            subject?: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    } | null;
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[] | null;
                } | null;
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                } | null;
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[] | null;
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Allow" | "Deny" | "Pass";
                ports?: {
                    portNumber?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        port: number;
                    };
                    portRange?: {
                        /** @enum {string} */
                        protocol?: "TCP" | "UDP" | "SCTP";
                        start: number;
                        end: number;
                    };
                    namedPort?: string;
                }[];
            }[] | null;
        };
        /** @description what changes of a BaselineAdminNetworkPolicy (RFC 7396): a null takes a field away */
        BaselineAdminNetworkPolicyPatch: {
            /** @enum {string|null} */
            apiVersion?: "policy.networking.k8s.io/v1alpha1" | null;
            /** @enum {string|null} */
            kind?: "BaselineAdminNetworkPolicy" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["BaselineAdminNetworkPolicySpecPatch"];
        };
        BaselineAdminNetworkPolicyList: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha1";
            /** @enum {string} */
            kind: "BaselineAdminNetworkPolicyList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["BaselineAdminNetworkPolicy"][];
        };
        ClusterNetworkPolicySpec: {
            /** @enum {string} */
            tier: "Admin" | "Baseline";
            priority: number;
            subject: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    };
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[];
                };
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                };
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Accept" | "Deny" | "Pass";
                protocols?: {
                    tcp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    udp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    sctp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    destinationNamedPort?: string;
                }[];
            }[];
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Accept" | "Deny" | "Pass";
                protocols?: {
                    tcp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    udp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    sctp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    destinationNamedPort?: string;
                }[];
            }[];
        };
        /** @description as Kubernetes has it */
        ClusterNetworkPolicyStatus: {
            [key: string]: unknown;
        };
        /** @description The provider's rules, of the tier Admin or Baseline (policy.networking.k8s.io/v1alpha2). */
        ClusterNetworkPolicy: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha2";
            /** @enum {string} */
            kind: "ClusterNetworkPolicy";
            metadata: components["schemas"]["Meta"];
            spec: components["schemas"]["ClusterNetworkPolicySpec"];
            status?: components["schemas"]["ClusterNetworkPolicyStatus"];
        };
        /** @description ClusterNetworkPolicy as it is sent. The status is ours: what is sent of it is not looked at. */
        ClusterNetworkPolicyDraft: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha2";
            /** @enum {string} */
            kind: "ClusterNetworkPolicy";
            metadata: components["schemas"]["MetaDraft"];
            spec: components["schemas"]["ClusterNetworkPolicySpec"];
            status?: components["schemas"]["ClusterNetworkPolicyStatus"];
        };
        ClusterNetworkPolicySpecPatch: {
            /** @enum {string} */
            tier?: "Admin" | "Baseline";
            priority?: number;
            subject?: {
                namespaces?: {
                    matchLabels?: {
                        [key: string]: string;
                    } | null;
                    matchExpressions?: {
                        key: string;
                        /** @enum {string} */
                        operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                        values?: string[];
                    }[] | null;
                } | null;
                pods?: {
                    namespaceSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                    podSelector?: {
                        matchLabels?: {
                            [key: string]: string;
                        } | null;
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[] | null;
                    } | null;
                } | null;
            };
            ingress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Accept" | "Deny" | "Pass";
                protocols?: {
                    tcp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    udp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    sctp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    destinationNamedPort?: string;
                }[];
            }[] | null;
            egress?: {
                name?: string;
                from?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                to?: {
                    namespaces?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    pods?: {
                        namespaceSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                        podSelector?: {
                            matchLabels?: {
                                [key: string]: string;
                            };
                            matchExpressions?: {
                                key: string;
                                /** @enum {string} */
                                operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                                values?: string[];
                            }[];
                        };
                    };
                    networks?: string[];
                    nodes?: {
                        matchLabels?: {
                            [key: string]: string;
                        };
                        matchExpressions?: {
                            key: string;
                            /** @enum {string} */
                            operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
                            values?: string[];
                        }[];
                    };
                    domainNames?: string[];
                }[];
                /** @enum {string} */
                action: "Accept" | "Deny" | "Pass";
                protocols?: {
                    tcp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    udp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    sctp?: {
                        destinationPort?: {
                            number?: number;
                            range?: {
                                start: number;
                                end: number;
                            };
                        };
                    };
                    destinationNamedPort?: string;
                }[];
            }[] | null;
        };
        /** @description what changes of a ClusterNetworkPolicy (RFC 7396): a null takes a field away */
        ClusterNetworkPolicyPatch: {
            /** @enum {string|null} */
            apiVersion?: "policy.networking.k8s.io/v1alpha2" | null;
            /** @enum {string|null} */
            kind?: "ClusterNetworkPolicy" | null;
            metadata?: components["schemas"]["MetaPatch"] | null;
            spec?: components["schemas"]["ClusterNetworkPolicySpecPatch"];
        };
        ClusterNetworkPolicyList: {
            /** @enum {string} */
            apiVersion: "policy.networking.k8s.io/v1alpha2";
            /** @enum {string} */
            kind: "ClusterNetworkPolicyList";
            metadata: components["schemas"]["ListMeta"];
            items: components["schemas"]["ClusterNetworkPolicy"][];
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
        /** @description Work that goes on after its request was answered. */
        Operation: {
            /** @description opaque */
            id: string;
            /** @enum {string} */
            operationType: "create" | "change" | "delete";
            /**
             * @description FAILED_TEMP may become COMPLETED without anybody doing anything
             * @enum {string}
             */
            operationState: "STARTING" | "PROCESSING" | "COMPLETED" | "FAILED_TEMP" | "FAILED";
            /** @description what it waits for, or why it did not come to be */
            detail?: string;
            /** Format: date-time */
            stateEnteredTime?: string;
            resource: {
                kind: string;
                namespace?: string;
                name: string;
                uid: string;
            };
            _links: {
                self: {
                    href: string;
                };
                resource?: {
                    href: string;
                };
            };
        };
        /** @description LccnSubscriptionRequest of SOL003, NsdmSubscriptionRequest of SOL005, about our kinds. */
        SolSubscriptionRequest: {
            /** @description who is told; answers GET with 204 before it is */
            callbackUri: string;
            /** @description all given parts must hold */
            filter?: {
                /** @description as PortStateChangeNotification */
                notificationTypes?: string[];
                operationTypes?: ("CREATE" | "DELETE")[];
                /** @description nothing here gets to STARTING, ROLLING_BACK, FAILED, ROLLED_BACK, PARTIALLY_COMPLETED */
                operationStates?: ("PROCESSING" | "COMPLETED" | "FAILED_TEMP" | "STARTING" | "ROLLING_BACK" | "FAILED" | "ROLLED_BACK" | "PARTIALLY_COMPLETED")[];
                /** @description which VNF an object is part of, by its labels or annotations megrez.io/vnfd-id, megrez.io/vnf-instance-id, megrez.io/vnf-instance-name, megrez.io/vnf-provider, megrez.io/vnf-product, megrez.io/vnf-software-version, megrez.io/vnfd-version */
                vnfInstanceSubscriptionFilter?: {
                    vnfdIds?: string[];
                    vnfProductsFromProviders?: {
                        vnfProvider: string;
                        vnfProducts?: {
                            vnfProductName: string;
                            versions?: {
                                vnfSoftwareVersion: string;
                                vnfdVersions?: string[];
                            }[];
                        }[];
                    }[];
                    vnfInstanceIds?: string[];
                    vnfInstanceNames?: string[];
                };
                /** @description which network service an object is part of, by its labels or annotations megrez.io/nsd-id, megrez.io/ns-instance-id, megrez.io/ns-instance-name */
                nsInstanceSubscriptionFilter?: {
                    nsdIds?: string[];
                    vnfdIds?: string[];
                    nsInstanceIds?: string[];
                    nsInstanceNames?: string[];
                };
                /** @description the same in our own words, where types and states cannot say it */
                resourcePhases?: ("pending" | "ready" | "error" | "terminating" | "deleted")[];
                resourceNames?: string[];
                /** @description only in Megrez's own namespace */
                resourceNamespaces?: string[];
                /** @description a label selector, as a=b,c!=d */
                resourceLabels?: string;
            };
            /** @description how the callbackUri knows us; never shown again */
            authentication?: {
                /** @description what the client takes: the first that can be done is done */
                authType: ("BASIC" | "OAUTH2_CLIENT_CREDENTIALS" | "OAUTH2_CLIENT_CERT" | "TLS_CERT")[];
                paramsBasic?: {
                    userName: string;
                    password: string;
                };
                paramsOauth2ClientCredentials?: {
                    clientId: string;
                    clientPassword: string;
                    /** @description receives the whole object as JSON on each change of phase */
                    tokenEndpoint: string;
                };
                /** @description known by our certificate at the token endpoint and at the callbackUri (RFC 8705) */
                paramsOauth2ClientCert?: {
                    clientId: string;
                    certificateRef: {
                        /** @enum {string} */
                        type: "x5t#S256" | "x5t#256";
                        /** @description SHA-256 of our certificate in DER, base64url (RFC 7515 section 4.1.8) */
                        value: string;
                    };
                    /** @description receives the whole object as JSON on each change of phase */
                    tokenEndpoint: string;
                };
            };
            /**
             * @description with or without the object; FULL unless given
             * @enum {string}
             */
            verbosity?: "FULL" | "SHORT";
        };
        /** @description LccnSubscription of SOL003: all but how the callbackUri knows us. */
        SolSubscription: {
            /** @description as notifications have it in subscriptionId */
            id: string;
            /** @description all given parts must hold */
            filter?: {
                /** @description as PortStateChangeNotification */
                notificationTypes?: string[];
                operationTypes?: ("CREATE" | "DELETE")[];
                /** @description nothing here gets to STARTING, ROLLING_BACK, FAILED, ROLLED_BACK, PARTIALLY_COMPLETED */
                operationStates?: ("PROCESSING" | "COMPLETED" | "FAILED_TEMP" | "STARTING" | "ROLLING_BACK" | "FAILED" | "ROLLED_BACK" | "PARTIALLY_COMPLETED")[];
                /** @description which VNF an object is part of, by its labels or annotations megrez.io/vnfd-id, megrez.io/vnf-instance-id, megrez.io/vnf-instance-name, megrez.io/vnf-provider, megrez.io/vnf-product, megrez.io/vnf-software-version, megrez.io/vnfd-version */
                vnfInstanceSubscriptionFilter?: {
                    vnfdIds?: string[];
                    vnfProductsFromProviders?: {
                        vnfProvider: string;
                        vnfProducts?: {
                            vnfProductName: string;
                            versions?: {
                                vnfSoftwareVersion: string;
                                vnfdVersions?: string[];
                            }[];
                        }[];
                    }[];
                    vnfInstanceIds?: string[];
                    vnfInstanceNames?: string[];
                };
                /** @description which network service an object is part of, by its labels or annotations megrez.io/nsd-id, megrez.io/ns-instance-id, megrez.io/ns-instance-name */
                nsInstanceSubscriptionFilter?: {
                    nsdIds?: string[];
                    vnfdIds?: string[];
                    nsInstanceIds?: string[];
                    nsInstanceNames?: string[];
                };
                /** @description the same in our own words, where types and states cannot say it */
                resourcePhases?: ("pending" | "ready" | "error" | "terminating" | "deleted")[];
                resourceNames?: string[];
                /** @description only in Megrez's own namespace */
                resourceNamespaces?: string[];
                /** @description a label selector, as a=b,c!=d */
                resourceLabels?: string;
            };
            /** @description who is told; answers GET with 204 before it is */
            callbackUri: string;
            /**
             * @description with or without the object; FULL unless given
             * @enum {string}
             */
            verbosity: "FULL" | "SHORT";
            _links: {
                self: {
                    href: string;
                };
            };
        };
    };
    responses: {
        /** @description The request cannot be read. */
        Malformed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A valid bearer token is needed. */
        Unauthorized: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This token may not, or the namespace is being deleted. */
        Forbidden: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is none of that name. */
        NotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not offered here: where there is an API server, that is its affair. */
        MethodNotAllowed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The version that is asked for is not known. */
        NotAcceptable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is there already, it has changed meanwhile, an address it asks for is taken, or a request of the same Idempotency-Key is under way. */
        Conflict: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The changes since then are no longer kept: list again. */
        Gone: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It is no longer at the ETag in If-Match. */
        PreconditionFailed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is larger than 1 MiB. */
        TooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This media type is not taken here. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A field is at fault; `errors` names each with its JSON pointer. Or the Idempotency-Key came with another request before. */
        Invalid: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description If-Match is missing. */
        PreconditionRequired: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description This caller asks too much at once; Retry-After says when to come back. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The store does not answer; worth trying again. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
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
        /** @description a kind, by its name or its plural */
        kind: string;
        /** @description opaque: as Location, or the object itself, had it */
        id: string;
        /** @description items in a page; never beside `watch=true` */
        limit: number;
        /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
        continue: string;
        /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
        labelSelector: string;
        /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
        fieldSelector: string;
        /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
        watch: boolean;
        /** @description judge and answer as always, and store nothing */
        dryRun: boolean;
        /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
        resourceVersion: string;
        /** @description the ETag that was read, or * for any */
        "If-Match": string;
        /** @description an ETag: 304 where it is still at that, its status included */
        "If-None-Match": string;
        /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
        "Idempotency-Key": string;
        /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
        Prefer: string;
        /** @description of the interface (SOL013, 9.2); 406 where it is not known */
        Version: string;
        /** @description with watch: the id of the last event that was seen; no other request looks at it */
        "Last-Event-ID": string;
    };
    requestBodies: never;
    headers: {
        /** @description the state that is shown; If-Match wants it back. A change of the status alone does not keep a change of the rest from being taken */
        ETag: string;
        /** @description where it is */
        Location: string;
        /** @description what the log calls this request: as the client named it, else a name of ours */
        "X-Request-Id": string;
        /** @description seconds to wait */
        "Retry-After": number;
        /** @description of the interface, as SOL013 has it */
        Version: string;
        /** @description `<…>; rel="next"`: the next page (RFC 8288) */
        Link: string;
        /** @description what was done about a pod that its maker may not expect: `299 megrez "…"` each */
        Warning: string;
        /** @description `true`: this was answered before, to the same request */
        "Idempotency-Replayed": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listVpcs: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createVpc: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Vpc",
                 *       "metadata": {
                 *         "name": "blue",
                 *         "labels": {
                 *           "tenant": "a"
                 *         }
                 *       },
                 *       "spec": {
                 *         "mtu": 1450,
                 *         "defaultSubnet": "front",
                 *         "sharedWith": [
                 *           "guests"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VpcDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Vpc",
                 *       "metadata": {
                 *         "name": "blue",
                 *         "labels": {
                 *           "tenant": "a"
                 *         }
                 *       },
                 *       "spec": {
                 *         "mtu": 1450,
                 *         "defaultSubnet": "front",
                 *         "sharedWith": [
                 *           "guests"
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["VpcDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getVpc: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Vpc",
                 *       "metadata": {
                 *         "name": "blue",
                 *         "labels": {
                 *           "tenant": "a"
                 *         }
                 *       },
                 *       "spec": {
                 *         "mtu": 1450,
                 *         "defaultSubnet": "front",
                 *         "sharedWith": [
                 *           "guests"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["VpcDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Vpc",
                 *       "metadata": {
                 *         "name": "blue",
                 *         "labels": {
                 *           "tenant": "a"
                 *         }
                 *       },
                 *       "spec": {
                 *         "mtu": 1450,
                 *         "defaultSubnet": "front",
                 *         "sharedWith": [
                 *           "guests"
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["VpcDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["VpcPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Vpc"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllVpcs: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubnets: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubnet: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Subnet",
                 *       "metadata": {
                 *         "name": "front"
                 *       },
                 *       "spec": {
                 *         "vpc": "blue",
                 *         "ipv4": {
                 *           "cidr": "192.0.2.0/24",
                 *           "gateway": "192.0.2.1"
                 *         },
                 *         "dns": {
                 *           "nameservers": [
                 *             "192.0.2.53"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubnetDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Subnet",
                 *       "metadata": {
                 *         "name": "front"
                 *       },
                 *       "spec": {
                 *         "vpc": "blue",
                 *         "ipv4": {
                 *           "cidr": "192.0.2.0/24",
                 *           "gateway": "192.0.2.1"
                 *         },
                 *         "dns": {
                 *           "nameservers": [
                 *             "192.0.2.53"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["SubnetDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubnet: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Subnet",
                 *       "metadata": {
                 *         "name": "front"
                 *       },
                 *       "spec": {
                 *         "vpc": "blue",
                 *         "ipv4": {
                 *           "cidr": "192.0.2.0/24",
                 *           "gateway": "192.0.2.1"
                 *         },
                 *         "dns": {
                 *           "nameservers": [
                 *             "192.0.2.53"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SubnetDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Subnet",
                 *       "metadata": {
                 *         "name": "front"
                 *       },
                 *       "spec": {
                 *         "vpc": "blue",
                 *         "ipv4": {
                 *           "cidr": "192.0.2.0/24",
                 *           "gateway": "192.0.2.1"
                 *         },
                 *         "dns": {
                 *           "nameservers": [
                 *             "192.0.2.53"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["SubnetDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["SubnetPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subnet"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSubnets: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPorts: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPort: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Port",
                 *       "metadata": {
                 *         "name": "web-eth0"
                 *       },
                 *       "spec": {
                 *         "subnet": "front",
                 *         "ips": [
                 *           "192.0.2.12"
                 *         ],
                 *         "portID": "web-eth0",
                 *         "retain": true,
                 *         "callbackURL": "https://nfvo.example.org/notices"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PortDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Port",
                 *       "metadata": {
                 *         "name": "web-eth0"
                 *       },
                 *       "spec": {
                 *         "subnet": "front",
                 *         "ips": [
                 *           "192.0.2.12"
                 *         ],
                 *         "portID": "web-eth0",
                 *         "retain": true,
                 *         "callbackURL": "https://nfvo.example.org/notices"
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["PortDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPort: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Port",
                 *       "metadata": {
                 *         "name": "web-eth0"
                 *       },
                 *       "spec": {
                 *         "subnet": "front",
                 *         "ips": [
                 *           "192.0.2.12"
                 *         ],
                 *         "portID": "web-eth0",
                 *         "retain": true,
                 *         "callbackURL": "https://nfvo.example.org/notices"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PortDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "Port",
                 *       "metadata": {
                 *         "name": "web-eth0"
                 *       },
                 *       "spec": {
                 *         "subnet": "front",
                 *         "ips": [
                 *           "192.0.2.12"
                 *         ],
                 *         "portID": "web-eth0",
                 *         "retain": true,
                 *         "callbackURL": "https://nfvo.example.org/notices"
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["PortDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PortPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Port"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPorts: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listIPLocks: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getIPLock: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IPLock"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllIPLocks: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSegmentLocks: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSegmentLock: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentLock"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSecurityGroup: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "SecurityGroup",
                 *       "metadata": {
                 *         "name": "web"
                 *       },
                 *       "spec": {
                 *         "rules": [
                 *           {
                 *             "direction": "ingress",
                 *             "protocol": "tcp",
                 *             "l4PortMin": 443,
                 *             "l4PortMax": 443,
                 *             "remoteCIDR": "0.0.0.0/0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SecurityGroupDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "SecurityGroup",
                 *       "metadata": {
                 *         "name": "web"
                 *       },
                 *       "spec": {
                 *         "rules": [
                 *           {
                 *             "direction": "ingress",
                 *             "protocol": "tcp",
                 *             "l4PortMin": 443,
                 *             "l4PortMax": 443,
                 *             "remoteCIDR": "0.0.0.0/0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["SecurityGroupDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSecurityGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "SecurityGroup",
                 *       "metadata": {
                 *         "name": "web"
                 *       },
                 *       "spec": {
                 *         "rules": [
                 *           {
                 *             "direction": "ingress",
                 *             "protocol": "tcp",
                 *             "l4PortMin": 443,
                 *             "l4PortMax": 443,
                 *             "remoteCIDR": "0.0.0.0/0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["SecurityGroupDraft"];
                /**
                 * @example {
                 *       "apiVersion": "megrez.io/v1alpha1",
                 *       "kind": "SecurityGroup",
                 *       "metadata": {
                 *         "name": "web"
                 *       },
                 *       "spec": {
                 *         "rules": [
                 *           {
                 *             "direction": "ingress",
                 *             "protocol": "tcp",
                 *             "l4PortMin": 443,
                 *             "l4PortMax": 443,
                 *             "remoteCIDR": "0.0.0.0/0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["SecurityGroupDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["SecurityGroupPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecurityGroup"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptions: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSubscription: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            /** @description There is one with this sink, profile and filter: Location. */
            303: {
                headers: {
                    /** @description its address */
                    Location?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["SubscriptionPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Subscription"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllSubscriptions: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNotices: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNotice: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Notice"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllNotices: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listL2Services: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createL2Service: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["L2ServiceDraft"];
                "application/yaml": components["schemas"]["L2ServiceDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getL2Service: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceL2Service: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["L2ServiceDraft"];
                "application/yaml": components["schemas"]["L2ServiceDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteL2Service: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchL2Service: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["L2ServicePatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2Service"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllL2Services: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listL2ServiceAttachments: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachmentList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createL2ServiceAttachment: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["L2ServiceAttachmentDraft"];
                "application/yaml": components["schemas"]["L2ServiceAttachmentDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getL2ServiceAttachment: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceL2ServiceAttachment: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["L2ServiceAttachmentDraft"];
                "application/yaml": components["schemas"]["L2ServiceAttachmentDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteL2ServiceAttachment: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchL2ServiceAttachment: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["L2ServiceAttachmentPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachment"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllL2ServiceAttachments: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2ServiceAttachmentList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listConnectionPoints: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPointList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createConnectionPoint: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionPointDraft"];
                "application/yaml": components["schemas"]["ConnectionPointDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnectionPoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceConnectionPoint: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConnectionPointDraft"];
                "application/yaml": components["schemas"]["ConnectionPointDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteConnectionPoint: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchConnectionPoint: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ConnectionPointPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConnectionPoint"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNodePools: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePoolList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNodePool: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodePoolDraft"];
                "application/yaml": components["schemas"]["NodePoolDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNodePool: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceNodePool: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NodePoolDraft"];
                "application/yaml": components["schemas"]["NodePoolDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNodePool: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNodePool: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["NodePoolPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NodePool"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listFabrics: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FabricList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createFabric: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FabricDraft"];
                "application/yaml": components["schemas"]["FabricDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getFabric: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceFabric: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FabricDraft"];
                "application/yaml": components["schemas"]["FabricDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteFabric: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchFabric: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["FabricPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Fabric"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listL2BridgeDomains: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2BridgeDomainList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getL2BridgeDomain: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["L2BridgeDomain"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listInquiries: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InquiryList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createInquiry: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InquiryDraft"];
                "application/yaml": components["schemas"]["InquiryDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getInquiry: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceInquiry: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InquiryDraft"];
                "application/yaml": components["schemas"]["InquiryDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteInquiry: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchInquiry: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["InquiryPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Inquiry"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllInquiries: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InquiryList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClouds: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createCloud: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloudDraft"];
                "application/yaml": components["schemas"]["CloudDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCloud: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceCloud: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloudDraft"];
                "application/yaml": components["schemas"]["CloudDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCloud: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchCloud: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["CloudPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cloud"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCloudSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudSecurityGroupList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCloudSecurityGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudSecurityGroup"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllCloudSecurityGroups: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CloudSecurityGroupList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAudits: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAudit: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditDraft"];
                "application/yaml": components["schemas"]["AuditDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAudit: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceAudit: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AuditDraft"];
                "application/yaml": components["schemas"]["AuditDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAudit: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchAudit: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["AuditPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUnifiedNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUnifiedNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnifiedNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["UnifiedNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUnifiedNetworkPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceUnifiedNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnifiedNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["UnifiedNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteUnifiedNetworkPolicy: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchUnifiedNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["UnifiedNetworkPolicyPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllUnifiedNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnifiedNetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPolicyIdentities: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyIdentityList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPolicyIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyIdentity"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPolicyIdentities: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyIdentityList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPolicyRuleSets: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRuleSetList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPolicyRuleSet: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRuleSet"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPolicyRuleSets: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyRuleSetList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNamespaces: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNamespace: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Namespace",
                 *       "metadata": {
                 *         "name": "demo",
                 *         "labels": {
                 *           "megrez.io/default": "enabled"
                 *         },
                 *         "annotations": {
                 *           "megrez.io/vpc": "blue"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NamespaceDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Namespace",
                 *       "metadata": {
                 *         "name": "demo",
                 *         "labels": {
                 *           "megrez.io/default": "enabled"
                 *         },
                 *         "annotations": {
                 *           "megrez.io/vpc": "blue"
                 *         }
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["NamespaceDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNamespace: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Namespace",
                 *       "metadata": {
                 *         "name": "demo",
                 *         "labels": {
                 *           "megrez.io/default": "enabled"
                 *         },
                 *         "annotations": {
                 *           "megrez.io/vpc": "blue"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NamespaceDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Namespace",
                 *       "metadata": {
                 *         "name": "demo",
                 *         "labels": {
                 *           "megrez.io/default": "enabled"
                 *         },
                 *         "annotations": {
                 *           "megrez.io/vpc": "blue"
                 *         }
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["NamespaceDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["NamespacePatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Namespace"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNodes: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNode: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Node",
                 *       "metadata": {
                 *         "name": "n1"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NodeDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Node",
                 *       "metadata": {
                 *         "name": "n1"
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["NodeDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNode: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Node",
                 *       "metadata": {
                 *         "name": "n1"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NodeDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Node",
                 *       "metadata": {
                 *         "name": "n1"
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["NodeDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["NodePatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Node"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                "application/merge-patch+json": components["schemas"]["NodeStatusPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPods: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createPod: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Pod",
                 *       "metadata": {
                 *         "name": "web",
                 *         "annotations": {
                 *           "megrez.io/callback-url": "https://nfvo.example.org/notices"
                 *         }
                 *       },
                 *       "spec": {
                 *         "containers": [
                 *           {
                 *             "name": "web",
                 *             "image": "example.org/web"
                 *           }
                 *         ],
                 *         "vpc": "blue",
                 *         "nics": [
                 *           {
                 *             "name": "eth0",
                 *             "subnet": "front",
                 *             "portID": "web-eth0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PodDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Pod",
                 *       "metadata": {
                 *         "name": "web",
                 *         "annotations": {
                 *           "megrez.io/callback-url": "https://nfvo.example.org/notices"
                 *         }
                 *       },
                 *       "spec": {
                 *         "containers": [
                 *           {
                 *             "name": "web",
                 *             "image": "example.org/web"
                 *           }
                 *         ],
                 *         "vpc": "blue",
                 *         "nics": [
                 *           {
                 *             "name": "eth0",
                 *             "subnet": "front",
                 *             "portID": "web-eth0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["PodDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPod: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Pod",
                 *       "metadata": {
                 *         "name": "web",
                 *         "annotations": {
                 *           "megrez.io/callback-url": "https://nfvo.example.org/notices"
                 *         }
                 *       },
                 *       "spec": {
                 *         "containers": [
                 *           {
                 *             "name": "web",
                 *             "image": "example.org/web"
                 *           }
                 *         ],
                 *         "vpc": "blue",
                 *         "nics": [
                 *           {
                 *             "name": "eth0",
                 *             "subnet": "front",
                 *             "portID": "web-eth0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PodDraft"];
                /**
                 * @example {
                 *       "apiVersion": "v1",
                 *       "kind": "Pod",
                 *       "metadata": {
                 *         "name": "web",
                 *         "annotations": {
                 *           "megrez.io/callback-url": "https://nfvo.example.org/notices"
                 *         }
                 *       },
                 *       "spec": {
                 *         "containers": [
                 *           {
                 *             "name": "web",
                 *             "image": "example.org/web"
                 *           }
                 *         ],
                 *         "vpc": "blue",
                 *         "nics": [
                 *           {
                 *             "name": "eth0",
                 *             "subnet": "front",
                 *             "portID": "web-eth0"
                 *           }
                 *         ]
                 *       }
                 *     }
                 */
                "application/yaml": components["schemas"]["PodDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
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
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PodPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Pod"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
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
                "application/merge-patch+json": components["schemas"]["PodStatusPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllPods: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNetworkAttachmentDefinitioions: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinitionList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNetworkAttachmentDefinition: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkAttachmentDefinitionDraft"];
                "application/yaml": components["schemas"]["NetworkAttachmentDefinitionDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNetworkAttachmentDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceNetworkAttachmentDefinition: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkAttachmentDefinitionDraft"];
                "application/yaml": components["schemas"]["NetworkAttachmentDefinitionDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNetworkAttachmentDefinition: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNetworkAttachmentDefinition: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["NetworkAttachmentDefinitionPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinition"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllNetworkAttachmentDefinitioions: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkAttachmentDefinitionList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkPolicyDraft"];
                "application/yaml": components["schemas"]["NetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNetworkPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkPolicyDraft"];
                "application/yaml": components["schemas"]["NetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteNetworkPolicy: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["NetworkPolicyPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAdminNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["AdminNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAdminNetworkPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AdminNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["AdminNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteAdminNetworkPolicy: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["AdminNetworkPolicyPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBaselineAdminNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createBaselineAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineAdminNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["BaselineAdminNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getBaselineAdminNetworkPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceBaselineAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineAdminNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["BaselineAdminNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteBaselineAdminNetworkPolicy: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchBaselineAdminNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["BaselineAdminNetworkPolicyPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineAdminNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listClusterNetworkPolicies: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicyList"];
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createClusterNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: {
                /** @description makes sending it again harmless: the same request is answered as before, another one is refused; kept for 24 hours */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClusterNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["ClusterNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description It is stored. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    Location: components["headers"]["Location"];
                    Warning: components["headers"]["Warning"];
                    "Idempotency-Replayed": components["headers"]["Idempotency-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClusterNetworkPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaceClusterNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClusterNetworkPolicyDraft"];
                "application/yaml": components["schemas"]["ClusterNetworkPolicyDraft"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteClusterNetworkPolicy: {
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
                };
            };
            /** @description It goes once its finalizers are off; it is as shown until then. Location is the operation. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchClusterNetworkPolicy: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header: {
                /** @description the ETag that was read, or * for any */
                "If-Match": components["parameters"]["If-Match"];
                /** @description `respond-async`: 202 and an operation in place of the object (RFC 7240) */
                Prefer?: components["parameters"]["Prefer"];
            };
            path: {
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["ClusterNetworkPolicyPatch"];
            };
        };
        responses: {
            /** @description As it is stored now. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClusterNetworkPolicy"];
                };
            };
            /** @description With `Prefer: respond-async`: it is stored, and what it takes to become true goes on. */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description an ETag: 304 where it is still at that, its status included */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Event"];
                };
            };
            /** @description If-None-Match names it as it is, its status included. */
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAllEvents: {
        parameters: {
            query?: {
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
                /** @description what the page before said: the same selectors go with it, in the same words, and any limit; never beside `watch=true` */
                continue?: components["parameters"]["continue"];
                /** @description as kubectl takes it: a=b,c!=d,e in (f,g),h,!i */
                labelSelector?: components["parameters"]["labelSelector"];
                /** @description metadata.name=x, and the kind's selectable fields; docs/kinds.md lists them */
                fieldSelector?: components["parameters"]["fieldSelector"];
                /** @description the changes as text/event-stream, in place of a page: then neither `limit` nor `continue` */
                watch?: components["parameters"]["watch"];
                /** @description only beside `watch=true`: only the changes since then; Last-Event-ID outdoes it */
                resourceVersion?: components["parameters"]["resourceVersion"];
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
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
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Link: components["headers"]["Link"];
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
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now; Retry-After while it goes on. */
            200: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClusterOperation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description As it is now; Retry-After while it goes on. */
            200: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMe: {
        parameters: {
            query?: {
                /** @description asked of this one; a cluster's own account is judged in it, and else in all of them at once */
                namespace?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description That. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        subject: string;
                        issuer: string;
                        /**
                         * Format: date-time
                         * @description when the token ends
                         */
                        until: string;
                        /** @description there is no API server: pods, Nodes and Namespaces are made here too */
                        standalone: boolean;
                        /** @description none of a cluster's own account */
                        grants: {
                            /** @enum {string} */
                            role: "viewer" | "operator" | "owner" | "provider" | "admin" | "agent";
                            /** @description absent: in all of them, and what is of none */
                            namespaces?: string[];
                        }[];
                        /** @description those of which the caller may do anything, with what */
                        kinds: {
                            kind: string;
                            plural: string;
                            /** @enum {string} */
                            scope: "Namespaced" | "Cluster";
                            /** @description written by Megrez alone */
                            internal?: boolean;
                            verbs: {
                                /** @enum {string} */
                                verb: "get" | "list" | "create" | "replace" | "patch" | "delete" | "patchStatus";
                                /** @description absent: in all of them, and what is of none */
                                namespaces?: string[];
                            }[];
                        }[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    watchKinds: {
        parameters: {
            query: {
                /** @description with commas between, as `Port,Subnet`; a kind that the caller may watch nowhere is 403 */
                kinds: string;
                /** @description only what is in it, and what is of none; absent: wherever the caller may */
                namespace?: string;
                /** @description true: of what changes the name alone, and nothing of what there is: `all` comes after a gap, without items */
                names?: boolean;
            };
            header?: {
                /** @description with watch: the id of the last event that was seen; no other request looks at it */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTopology: {
        parameters: {
            query?: {
                /** @description only what is in it, and what is of none; absent: wherever the caller may */
                namespace?: string;
                /** @description only what is on it */
                vni?: number;
                /** @description only what is on it; beside vni: both */
                physicalNetwork?: string;
                /** @description false: Ports and pods as numbers on Subnets, Nodes and tunnels */
                ports?: boolean;
                /** @description elements of a page, about, 2000 unless given */
                limit?: number;
                /** @description what the page before said; the same question goes with it */
                continue?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of the graph. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nodes: {
                            /** @description of kind, namespace and name: `Port/a/x`, `Segment/7`, `VLAN/default/100`, `Switch/dc1/leaf1` */
                            id: string;
                            /** @description a kind of objects, or Segment, VLAN, PhysicalNetwork, Switch */
                            kind: string;
                            /** @description a VLAN's is its physical network, a Switch's its Fabric */
                            namespace?: string;
                            name: string;
                            /** @description false: an object that is seen names it, and the caller sees no more of it */
                            seen: boolean;
                            phase?: string;
                            message?: string;
                            vni?: number;
                            vlan?: number;
                            addresses?: string[];
                            mac?: string;
                            /** @description Ports of it that the caller sees */
                            ports?: number;
                        }[];
                        edges: {
                            id: string;
                            from: string;
                            to: string;
                            /** @description in, carried-by, has, on, tunnel (Node to Segment: each has one to each other there), brings, at, of, wired-to, gateway, open-on */
                            relation: string;
                            /** @description a tunnel's, on its Node */
                            address?: string;
                            /** @description Ports behind a tunnel that the caller sees */
                            ports?: number;
                            interface?: string;
                            switchPort?: string;
                        }[];
                        /** @description what the page holds: `segment 00000007`, `vpc a/b`, `network default`, `rest`; one that is larger than a page goes on on the next */
                        parts: string[];
                        /** @description there is more: the next page; absent on the last */
                        continue?: string;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTopologyPicture: {
        parameters: {
            query?: {
                /** @description only what is in it, and what is of none; absent: wherever the caller may */
                namespace?: string;
                /** @description how Ports are put together */
                by?: "node" | "vpc";
                /** @description `all`, `none`, or ids of groups and ranges, with commas between; absent: the groups that there is room for, where that is most of them */
                open?: string;
                /** @description only Ports on it */
                vni?: number;
                /** @description only Ports in its Subnets, as `shop/blue` */
                vpc?: string;
                /** @description only Ports on it */
                node?: string;
                /** @description only Ports that are so */
                phase?: "new" | "pending" | "ready" | "error" | "terminating";
                /** @description pods that are drawn whatever is closed, as `shop/web-0`, with commas between, 8 at most */
                follow?: string;
                /** @description elements at most, 1000 unless given */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The picture. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        nodes: {
                            /** @description of kind, namespace and name: `Port/a/x`, `Segment/7`, `VLAN/default/100`, `Switch/dc1/leaf1` */
                            id: string;
                            /** @description a kind of objects, or Segment, VLAN, PhysicalNetwork, Switch */
                            kind: string;
                            /** @description a VLAN's is its physical network, a Switch's its Fabric */
                            namespace?: string;
                            name: string;
                            /** @description false: an object that is seen names it, and the caller sees no more of it */
                            seen: boolean;
                            phase?: string;
                            message?: string;
                            vni?: number;
                            vlan?: number;
                            addresses?: string[];
                            mac?: string;
                            /** @description Ports of it that the caller sees */
                            ports?: number;
                            /** @description the id of what it stands in */
                            parent?: string;
                            /** @description of a group */
                            open?: boolean;
                            /** @description of an open group, where not all of its Ports are drawn: how many are */
                            shown?: number;
                            /** @description of a range: how many it is */
                            members?: number;
                            first?: string;
                            last?: string;
                        }[];
                        edges: {
                            id: string;
                            from: string;
                            to: string;
                            /** @description port (one Port, of a pod or by itself, in a Subnet), ports, tunnel, wired-to, gateway, open-on, of, carried-by */
                            relation: string;
                            phase?: string;
                            /** @description how many Ports or links it stands for */
                            count?: number;
                            addresses?: string[];
                            interface?: string;
                            switchPort?: string;
                        }[];
                        /** @description Ports that are like that, drawn or counted */
                        ports: number;
                        /** @description edges that there was no room for */
                        hidden: number;
                        /** @description what one may filter by, up to 500 each */
                        offered: {
                            nodes: string[];
                            vpcs: string[];
                            vnis: number[];
                        };
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kind: string;
                        namespace?: string;
                        name: string;
                        /** @description what it refers to, and where; whether that is there, or the caller may see it, is not said */
                        uses: {
                            kind: string;
                            namespace?: string;
                            name: string;
                            /** @description JSON pointer */
                            at: string;
                        }[];
                        /** @description what the caller sees that refers to it */
                        usedBy: {
                            kind: string;
                            namespace?: string;
                            name: string;
                            /** @description JSON pointer */
                            at: string;
                        }[];
                        /** @description there are more than are shown */
                        more: boolean;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getClusterUses: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Both. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kind: string;
                        namespace?: string;
                        name: string;
                        /** @description what it refers to, and where; whether that is there, or the caller may see it, is not said */
                        uses: {
                            kind: string;
                            namespace?: string;
                            name: string;
                            /** @description JSON pointer */
                            at: string;
                        }[];
                        /** @description what the caller sees that refers to it */
                        usedBy: {
                            kind: string;
                            namespace?: string;
                            name: string;
                            /** @description JSON pointer */
                            at: string;
                        }[];
                        /** @description there are more than are shown */
                        more: boolean;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    search: {
        parameters: {
            query: {
                /** @description part of a name or an id, whatever its case; an address, also of a block that holds it; a MAC; a number: VNI or VLAN */
                q: string;
                /** @description only what is in it, and what is of none; absent: wherever the caller may */
                namespace?: string;
                /** @description 20 unless given */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description the best first */
                        items: {
                            kind: string;
                            namespace?: string;
                            name: string;
                            /** @description JSON pointer */
                            at: string;
                            value: string;
                        }[];
                        /** @description false: there may be more */
                        complete: boolean;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    explain: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kind: string;
                        namespace?: string;
                        name: string;
                        uid: string;
                        phase: string;
                        message: string;
                        /** @description the latest changes of phase, oldest first */
                        timeline: {
                            time: string;
                            phase: string;
                            reason: string;
                        }[];
                        conditions: {
                            type: string;
                            status: string;
                            reason: string;
                            message: string;
                        }[];
                        /** @description its way in order; none of kinds that nobody reports of */
                        steps: {
                            step: string;
                            /**
                             * @description now: it stands here; failed: somebody must do something
                             * @enum {string}
                             */
                            state: "done" | "now" | "next" | "failed";
                            because: string;
                            time?: string;
                            /** @description what a person can do about it */
                            help?: string;
                        }[];
                        /** @description a pod's */
                        nics?: {
                            nic: string;
                            /** @description as namespace/name; absent: there is none yet, or the caller may not see it */
                            port?: string;
                            phase: string;
                            message: string;
                            /** @description the latest changes of phase, oldest first */
                            timeline: {
                                time: string;
                                phase: string;
                                reason: string;
                            }[];
                            steps: {
                                step: string;
                                /**
                                 * @description now: it stands here; failed: somebody must do something
                                 * @enum {string}
                                 */
                                state: "done" | "now" | "next" | "failed";
                                because: string;
                                time?: string;
                                /** @description what a person can do about it */
                                help?: string;
                            }[];
                        }[];
                        /** @description of a pod, and of an L2ServiceAttachment with each of its pods: those in its VLANs, and which policies judge them; what the caller may list */
                        interfaces?: {
                            /** @description as namespace/name */
                            attachment: string;
                            /** @description as namespace/name */
                            pod: string;
                            vlans: number[];
                            /**
                             * @description free: nobody judges it; closed: nothing passes but ARP, neighbour discovery and DHCP
                             * @enum {string}
                             */
                            state: "free" | "judged" | "closed";
                            because: string;
                            /** @description those that judge it */
                            policies: {
                                /** @enum {string} */
                                tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                policy: {
                                    kind: string;
                                    namespace?: string;
                                    name: string;
                                };
                                rules: number;
                                /** @description it changes no verdict: what it would deny is counted */
                                audit: boolean;
                            }[];
                        }[];
                        /** @description of a Port on a node: what that node's data plane does for it, by what is stored; an Inquiry asks the node itself */
                        plane?: {
                            node: string;
                            dataplane: string;
                            items: {
                                key: string;
                                where: string;
                                match: string;
                                does: string;
                                because: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainCluster: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description a kind, by its name or its plural */
                kind: components["parameters"]["kind"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The explanation. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        kind: string;
                        namespace?: string;
                        name: string;
                        uid: string;
                        phase: string;
                        message: string;
                        /** @description the latest changes of phase, oldest first */
                        timeline: {
                            time: string;
                            phase: string;
                            reason: string;
                        }[];
                        conditions: {
                            type: string;
                            status: string;
                            reason: string;
                            message: string;
                        }[];
                        /** @description its way in order; none of kinds that nobody reports of */
                        steps: {
                            step: string;
                            /**
                             * @description now: it stands here; failed: somebody must do something
                             * @enum {string}
                             */
                            state: "done" | "now" | "next" | "failed";
                            because: string;
                            time?: string;
                            /** @description what a person can do about it */
                            help?: string;
                        }[];
                        /** @description a pod's */
                        nics?: {
                            nic: string;
                            /** @description as namespace/name; absent: there is none yet, or the caller may not see it */
                            port?: string;
                            phase: string;
                            message: string;
                            /** @description the latest changes of phase, oldest first */
                            timeline: {
                                time: string;
                                phase: string;
                                reason: string;
                            }[];
                            steps: {
                                step: string;
                                /**
                                 * @description now: it stands here; failed: somebody must do something
                                 * @enum {string}
                                 */
                                state: "done" | "now" | "next" | "failed";
                                because: string;
                                time?: string;
                                /** @description what a person can do about it */
                                help?: string;
                            }[];
                        }[];
                        /** @description of a pod, and of an L2ServiceAttachment with each of its pods: those in its VLANs, and which policies judge them; what the caller may list */
                        interfaces?: {
                            /** @description as namespace/name */
                            attachment: string;
                            /** @description as namespace/name */
                            pod: string;
                            vlans: number[];
                            /**
                             * @description free: nobody judges it; closed: nothing passes but ARP, neighbour discovery and DHCP
                             * @enum {string}
                             */
                            state: "free" | "judged" | "closed";
                            because: string;
                            /** @description those that judge it */
                            policies: {
                                /** @enum {string} */
                                tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                policy: {
                                    kind: string;
                                    namespace?: string;
                                    name: string;
                                };
                                rules: number;
                                /** @description it changes no verdict: what it would deny is counted */
                                audit: boolean;
                            }[];
                        }[];
                        /** @description of a Port on a node: what that node's data plane does for it, by what is stored; an Inquiry asks the node itself */
                        plane?: {
                            node: string;
                            dataplane: string;
                            items: {
                                key: string;
                                where: string;
                                match: string;
                                does: string;
                                because: string;
                            }[];
                        };
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    tracePolicy: {
        parameters: {
            query?: {
                /** @description who begins it: pods/NAMESPACE/NAME, ports/NAMESPACE/NAME, or an address */
                from?: string;
                /** @description whom it goes to, in the same way */
                to?: string;
                /** @description L2ServiceAttachment, as NAMESPACE/NAME: the pod's interface in its VLAN is meant, and the other end is an address */
                attachment?: string;
                /** @description a frame that is no IP, in place of protocol and port; in a VLAN the other end is a MAC */
                etherType?: number;
                /** @description in which of its VLANs, where the attachment is in several */
                vlan?: number;
                /** @description of its first packet */
                protocol?: "tcp" | "udp" | "sctp" | "icmp" | "icmpv6";
                /** @description the one it goes to, of tcp, udp and sctp */
                port?: number;
                /** @description of icmp and icmpv6; an echo request unless given */
                icmpType?: number;
                /** @description of icmp and icmpv6; 0 unless given */
                icmpCode?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The verdict. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        isAllowed: boolean;
                        egress?: {
                            isAllowed: boolean;
                            /** @description those that had a say, in order */
                            tiers: {
                                /** @enum {string} */
                                tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                /**
                                 * @description audits: would deny it, and lets it pass
                                 * @enum {string}
                                 */
                                says: "allows" | "denies" | "audits";
                                policy: {
                                    kind: string;
                                    namespace?: string;
                                    name: string;
                                };
                                /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                rule?: string;
                            }[];
                        };
                        ingress?: {
                            isAllowed: boolean;
                            /** @description those that had a say, in order */
                            tiers: {
                                /** @enum {string} */
                                tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                /**
                                 * @description audits: would deny it, and lets it pass
                                 * @enum {string}
                                 */
                                says: "allows" | "denies" | "audits";
                                policy: {
                                    kind: string;
                                    namespace?: string;
                                    name: string;
                                };
                                /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                rule?: string;
                            }[];
                        };
                        /** @description or the number by which policies know the VLAN, above all VNIs */
                        vni: number;
                        from: {
                            /** @description empty of an interface in a VLAN */
                            address: string;
                            port?: {
                                kind?: string;
                                namespace: string;
                                name: string;
                            };
                            /** @description of an interface in a VLAN, as NAMESPACE/NAME */
                            attachment?: string;
                            /** @description of whom in a VLAN nothing else is known */
                            mac?: string;
                            /** @description of an interface in VLANs: the one that it has the packet in */
                            vlan?: number;
                            /** @description by its name, as its Port is in its namespace; of an interface in a VLAN as NAMESPACE/NAME */
                            pod?: string;
                            node?: string;
                        };
                        to: {
                            /** @description empty of an interface in a VLAN */
                            address: string;
                            port?: {
                                kind?: string;
                                namespace: string;
                                name: string;
                            };
                            /** @description of an interface in a VLAN, as NAMESPACE/NAME */
                            attachment?: string;
                            /** @description of whom in a VLAN nothing else is known */
                            mac?: string;
                            /** @description of an interface in VLANs: the one that it has the packet in */
                            vlan?: number;
                            /** @description by its name, as its Port is in its namespace; of an interface in a VLAN as NAMESPACE/NAME */
                            pod?: string;
                            node?: string;
                        };
                        /** @description IP's number of it */
                        protocol?: number;
                        l4Port?: number;
                        icmpType?: number;
                        icmpCode?: number;
                        /** @description of a frame that is no IP, which has no protocol */
                        etherType?: number;
                        /** @description what its first packet passes, in order, and where it dies; by what is stored: no node is asked */
                        way: {
                            /**
                             * @description Address: of an end of which the caller sees no Port
                             * @enum {string}
                             */
                            at: "Pod" | "Port" | "Attachment" | "Node" | "Tunnel" | "Address";
                            namespace?: string;
                            name?: string;
                            /** @description the key of a Tunnel */
                            vni?: number;
                            /** @description of a Tunnel: its node's address */
                            from?: string;
                            /** @description of a Tunnel: the next node's address */
                            to?: string;
                            /** @description of a Node: whom policies judge there, who sends and who receives */
                            judges?: ("egress" | "ingress")[];
                            /** @enum {string} */
                            fate: "passes" | "dies" | "unreached";
                            /** @description why it dies there, or what else is to be known */
                            message?: string;
                            /** @description of a Node that it reaches: what it meets there, in order, by what is stored; of whom the caller does not see, nothing */
                            tables?: string[];
                            /** @description of a Node: what connection tracking says of it there */
                            conntrack?: {
                                /** @description whose zone it is; a Pod: that of its interface in the VLAN */
                                port: {
                                    kind?: string;
                                    namespace?: string;
                                    name: string;
                                };
                                /** @enum {string} */
                                says: "new" | "established" | "invalid";
                                /** @description what follows is established from then on, and ICMP errors about it are related */
                                isKept: boolean;
                            }[];
                            /** @description of a Node: why nobody can say what it meets there */
                            untold?: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPolicyMatrix: {
        parameters: {
            query?: {
                /** @description as NAMESPACE/NAME */
                vpc?: string;
                /** @description in place of a Vpc: L2ServiceAttachment, as NAMESPACE/NAME, whose pods are meant, against blocks of addresses */
                attachment?: string;
                /** @description in which of its VLANs, where the attachment is in several */
                vlan?: number;
                /** @description of addresses */
                family?: 4 | 6;
                /** @description of its first packet */
                protocol?: "tcp" | "udp" | "sctp" | "icmp" | "icmpv6";
                /** @description the one it goes to, of tcp, udp and sctp */
                port?: number;
                /** @description of icmp and icmpv6; an echo request unless given */
                icmpType?: number;
                /** @description of icmp and icmpv6; 0 unless given */
                icmpCode?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The matrix. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Ports that policies cannot tell apart, or pods of an attachment; those that the caller sees */
                        groups: {
                            namespace: string;
                            /** @description some of them, by pod or by their own name */
                            ports: string[];
                            count: number;
                            /** @description as far as policies look at them */
                            labels?: {
                                [key: string]: string;
                            };
                            securityGroups?: string[];
                        }[];
                        /** @description who sends, in the order of the groups */
                        cells: {
                            isAllowed: boolean;
                            egress?: {
                                isAllowed: boolean;
                                /** @description those that had a say, in order */
                                tiers: {
                                    /** @enum {string} */
                                    tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                    /**
                                     * @description audits: would deny it, and lets it pass
                                     * @enum {string}
                                     */
                                    says: "allows" | "denies" | "audits";
                                    policy: {
                                        kind: string;
                                        namespace?: string;
                                        name: string;
                                    };
                                    /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                    rule?: string;
                                }[];
                            };
                            ingress?: {
                                isAllowed: boolean;
                                /** @description those that had a say, in order */
                                tiers: {
                                    /** @enum {string} */
                                    tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                    /**
                                     * @description audits: would deny it, and lets it pass
                                     * @enum {string}
                                     */
                                    says: "allows" | "denies" | "audits";
                                    policy: {
                                        kind: string;
                                        namespace?: string;
                                        name: string;
                                    };
                                    /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                    rule?: string;
                                }[];
                            };
                        }[][];
                        /** @description there are more groups, or blocks, than are shown */
                        more: boolean;
                        vpc?: {
                            kind: string;
                            namespace?: string;
                            name: string;
                        };
                        attachment?: {
                            kind: string;
                            namespace?: string;
                            name: string;
                        };
                        /** @description of an attachment: the one that is asked about */
                        vlan?: number;
                        /** @description of an attachment: blocks of addresses that rules tell apart, each without what is in another that is narrower */
                        blocks?: string[];
                        /** @description of an attachment: who receives, in the order of the groups */
                        gets?: {
                            isAllowed: boolean;
                            egress?: {
                                isAllowed: boolean;
                                /** @description those that had a say, in order */
                                tiers: {
                                    /** @enum {string} */
                                    tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                    /**
                                     * @description audits: would deny it, and lets it pass
                                     * @enum {string}
                                     */
                                    says: "allows" | "denies" | "audits";
                                    policy: {
                                        kind: string;
                                        namespace?: string;
                                        name: string;
                                    };
                                    /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                    rule?: string;
                                }[];
                            };
                            ingress?: {
                                isAllowed: boolean;
                                /** @description those that had a say, in order */
                                tiers: {
                                    /** @enum {string} */
                                    tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                    /**
                                     * @description audits: would deny it, and lets it pass
                                     * @enum {string}
                                     */
                                    says: "allows" | "denies" | "audits";
                                    policy: {
                                        kind: string;
                                        namespace?: string;
                                        name: string;
                                    };
                                    /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                    rule?: string;
                                }[];
                            };
                        }[][];
                        vni: number;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    planPolicies: {
        parameters: {
            query?: {
                /** @description as NAMESPACE/NAME */
                vpc?: string;
                /** @description in place of a Vpc: L2ServiceAttachment, as NAMESPACE/NAME, whose pods in its VLANs are meant */
                attachment?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description policies to be stored, each whole, in place of those of the same name */
                    put?: {
                        [key: string]: unknown;
                    }[];
                    /** @description policies to be deleted */
                    delete?: {
                        kind: string;
                        namespace?: string;
                        name: string;
                    }[];
                    /**
                     * @description as if the cluster came to enforce: verdicts are compared with those that are in force, audit included
                     * @default false
                     */
                    enforce?: boolean;
                };
            };
        };
        responses: {
            /** @description What would change. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        vni: number;
                        /** @description all rules of the Vpc are in audit: nothing is dropped (yet) */
                        isAudit: boolean;
                        bindings: {
                            policy: {
                                kind: string;
                                namespace?: string;
                                name: string;
                            };
                            /** @description Ports, or in a VLAN pods, that it would judge, as namespace/name */
                            gains: string[];
                            /** @description Ports that it would judge no more */
                            loses: string[];
                            rulesBefore: number;
                            rulesAfter: number;
                        }[];
                        /** @description running pods whose network is their policy's to say, and would be another Vpc; those that the caller may list */
                        moves: {
                            /** @description as namespace/name */
                            pod: string;
                            /** @description the Vpc that its policies name now, if any */
                            from?: string;
                            to: string;
                        }[];
                        /** @description connections that would be allowed and are not, or the other way round; by what rules name, and a TCP port that none names */
                        verdicts: {
                            from: {
                                /** @description as namespace/name; in a VLAN a pod as that, or a block of addresses, or a MAC */
                                port: string;
                                /** @description it, and others like it */
                                count: number;
                            };
                            to: {
                                /** @description as namespace/name; in a VLAN a pod as that, or a block of addresses, or a MAC */
                                port: string;
                                /** @description it, and others like it */
                                count: number;
                            };
                            /** @description of an attachment: in which VLAN */
                            vlan?: number;
                            transport: {
                                protocol?: number;
                                l4Port?: number;
                                icmpType?: number;
                                icmpCode?: number;
                                /** @description of a frame that is no IP, which has no protocol */
                                etherType?: number;
                            };
                            /** @description ingress is absent where nothing gets that far */
                            before: {
                                isAllowed: boolean;
                                egress?: {
                                    isAllowed: boolean;
                                    /** @description those that had a say, in order */
                                    tiers: {
                                        /** @enum {string} */
                                        tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                        /**
                                         * @description audits: would deny it, and lets it pass
                                         * @enum {string}
                                         */
                                        says: "allows" | "denies" | "audits";
                                        policy: {
                                            kind: string;
                                            namespace?: string;
                                            name: string;
                                        };
                                        /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                        rule?: string;
                                    }[];
                                };
                                ingress?: {
                                    isAllowed: boolean;
                                    /** @description those that had a say, in order */
                                    tiers: {
                                        /** @enum {string} */
                                        tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                        /**
                                         * @description audits: would deny it, and lets it pass
                                         * @enum {string}
                                         */
                                        says: "allows" | "denies" | "audits";
                                        policy: {
                                            kind: string;
                                            namespace?: string;
                                            name: string;
                                        };
                                        /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                        rule?: string;
                                    }[];
                                };
                            };
                            /** @description ingress is absent where nothing gets that far */
                            after: {
                                isAllowed: boolean;
                                egress?: {
                                    isAllowed: boolean;
                                    /** @description those that had a say, in order */
                                    tiers: {
                                        /** @enum {string} */
                                        tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                        /**
                                         * @description audits: would deny it, and lets it pass
                                         * @enum {string}
                                         */
                                        says: "allows" | "denies" | "audits";
                                        policy: {
                                            kind: string;
                                            namespace?: string;
                                            name: string;
                                        };
                                        /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                        rule?: string;
                                    }[];
                                };
                                ingress?: {
                                    isAllowed: boolean;
                                    /** @description those that had a say, in order */
                                    tiers: {
                                        /** @enum {string} */
                                        tier: "admin" | "unified" | "networkPolicy" | "securityGroup" | "baseline";
                                        /**
                                         * @description audits: would deny it, and lets it pass
                                         * @enum {string}
                                         */
                                        says: "allows" | "denies" | "audits";
                                        policy: {
                                            kind: string;
                                            namespace?: string;
                                            name: string;
                                        };
                                        /** @description a JSON pointer into the policy; absent: no rule of it allows this */
                                        rule?: string;
                                    }[];
                                };
                            };
                        }[];
                        /** @description more verdicts may change than are named: so many are, and so long it is looked for them */
                        more: boolean;
                        problems: {
                            policy: {
                                kind: string;
                                namespace?: string;
                                name: string;
                            };
                            path: string;
                            message: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    planNsd: {
        parameters: {
            query?: {
                /** @description for Saps that name none in their metadata, as megrez.io/connection-point */
                connectionPoint?: string;
                /** @description physical networks of the gateways, with commas between */
                physicalNW?: string;
                /** @description who is to be told of the objects */
                callbackURL?: string;
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    [key: string]: unknown;
                };
                "application/yaml": {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The objects, to look at and to send. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apiVersion: string;
                        kind: string;
                        items: {
                            [key: string]: unknown;
                        }[];
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    putSubscriptionSecret: {
        parameters: {
            query?: never;
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
                "application/json": {
                    stringData: {
                        [key: string]: string;
                    };
                };
            };
        };
        responses: {
            /** @description It is kept. */
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
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSubscriptionSecret: {
        parameters: {
            query?: never;
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
            412: components["responses"]["PreconditionFailed"];
            428: components["responses"]["PreconditionRequired"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSigningSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description One, or several while they are being replaced; none where nothing is signed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        secrets: string[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSubscriptionEvents: {
        parameters: {
            query?: {
                /** @description what the reading before said; 410 once it is older than events are kept */
                after?: string;
                /** @description items in a page; never beside `watch=true` */
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events, and how to go on. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: {
                            id: string;
                            sequence: number;
                            phase: string;
                            /** Format: date-time */
                            time: string;
                            /** @description as the profile has it */
                            event: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description the cursor to go on with */
                        next: string;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    testSubscription: {
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
            /** @description How the sink took it. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: date-time */
                        time: string;
                        /**
                         * @description accepted: it was taken: any 2xx; refused: it was answered, by neither 2xx nor 3xx; redirected: it was answered by 3xx, and no redirect is followed; forbidden: the sink may not be reached, as we are set up; unknown-name: the sink's name leads to no address; unreachable: no connection could be made: nobody listens, or there is no way; untrusted: the sink's certificate is not one to be trusted for its name; no-tls: the sink does not speak TLS; slow: a connection was made, and no whole answer came in time; broken: a connection was made, and what came is no answer; no-token: there are no credentials to send it with; pending: it is not known yet
                         * @enum {string}
                         */
                        outcome: "accepted" | "refused" | "redirected" | "forbidden" | "unknown-name" | "unreachable" | "untrusted" | "no-tls" | "slow" | "broken" | "no-token" | "pending";
                        code?: number;
                        /** @description why it was not taken, in words */
                        reason?: string;
                    };
                };
            };
            /** @description Asked for; status.tested of the Subscription will say it. */
            202: {
                headers: {
                    /** @description the Subscription */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                        /** Format: date-time */
                        time: string;
                        /**
                         * @description accepted: it was taken: any 2xx; refused: it was answered, by neither 2xx nor 3xx; redirected: it was answered by 3xx, and no redirect is followed; forbidden: the sink may not be reached, as we are set up; unknown-name: the sink's name leads to no address; unreachable: no connection could be made: nobody listens, or there is no way; untrusted: the sink's certificate is not one to be trusted for its name; no-tls: the sink does not speak TLS; slow: a connection was made, and no whole answer came in time; broken: a connection was made, and what came is no answer; no-token: there are no credentials to send it with; pending: it is not known yet
                         * @enum {string}
                         */
                        outcome: "accepted" | "refused" | "redirected" | "forbidden" | "unknown-name" | "unreachable" | "untrusted" | "no-tls" | "slow" | "broken" | "no-token" | "pending";
                        code?: number;
                        /** @description why it was not taken, in words */
                        reason?: string;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateSubscriptionSecret: {
        parameters: {
            query?: {
                /** @description judge and answer as always, and store nothing */
                dryRun?: components["parameters"]["dryRun"];
            };
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description how long what signs now goes on; 0: no longer
                     * @default 86400
                     */
                    overlapSeconds?: number;
                };
            };
        };
        responses: {
            /** @description The new secret, which is shown this once. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description one, or several while the server's own is being replaced; none of a dry run */
                        secrets: string[];
                        /** @description of each that was before it, until when it signs too */
                        previous: {
                            /** Format: date-time */
                            until: string;
                        }[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    replaySubscription: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                namespace: components["parameters"]["namespace"];
                name: components["parameters"]["name"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    after?: string;
                };
            };
        };
        responses: {
            /** @description It will be sent, under the ids it had. */
            202: {
                headers: {
                    /** @description the Subscription */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSolSubscriptions: {
        parameters: {
            query?: {
                /** @description attribute filter (SOL013, 5.2): `(eq,callbackUri,https://a.example);(in,verbosity,FULL,SHORT)` */
                filter?: string;
                /** @description as Link of the page before has it */
                nextpage_opaque_marker?: string;
            };
            header?: {
                /** @description of the interface (SOL013, 9.2); 406 where it is not known */
                Version?: components["parameters"]["Version"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of them. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    Link: components["headers"]["Link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "id": "0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11",
                     *         "filter": {
                     *           "notificationTypes": [
                     *             "PortStateChangeNotification"
                     *           ],
                     *           "operationStates": [
                     *             "COMPLETED",
                     *             "FAILED_TEMP"
                     *           ],
                     *           "resourceLabels": "tier=gold"
                     *         },
                     *         "callbackUri": "https://nfvo.example.org/notify",
                     *         "verbosity": "SHORT",
                     *         "_links": {
                     *           "self": {
                     *             "href": "https://megrez.example.org/v1/namespaces/nfv/sol/subscriptions/0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11"
                     *           }
                     *         }
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["SolSubscription"][];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    createSolSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description of the interface (SOL013, 9.2); 406 where it is not known */
                Version?: components["parameters"]["Version"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "callbackUri": "https://nfvo.example.org/notify",
                 *       "filter": {
                 *         "notificationTypes": [
                 *           "PortStateChangeNotification"
                 *         ],
                 *         "operationStates": [
                 *           "COMPLETED",
                 *           "FAILED_TEMP"
                 *         ],
                 *         "resourceLabels": "tier=gold"
                 *       },
                 *       "authentication": {
                 *         "authType": [
                 *           "BASIC"
                 *         ],
                 *         "paramsBasic": {
                 *           "userName": "megrez",
                 *           "password": "correct horse"
                 *         }
                 *       },
                 *       "verbosity": "SHORT"
                 *     }
                 */
                "application/json": components["schemas"]["SolSubscriptionRequest"];
            };
        };
        responses: {
            /** @description It is told from now on. */
            201: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11",
                     *       "filter": {
                     *         "notificationTypes": [
                     *           "PortStateChangeNotification"
                     *         ],
                     *         "operationStates": [
                     *           "COMPLETED",
                     *           "FAILED_TEMP"
                     *         ],
                     *         "resourceLabels": "tier=gold"
                     *       },
                     *       "callbackUri": "https://nfvo.example.org/notify",
                     *       "verbosity": "SHORT",
                     *       "_links": {
                     *         "self": {
                     *           "href": "https://megrez.example.org/v1/namespaces/nfv/sol/subscriptions/0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SolSubscription"];
                };
            };
            /** @description There is one of this callbackUri and filter: Location. */
            303: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    Location: components["headers"]["Location"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSolSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description of the interface (SOL013, 9.2); 406 where it is not known */
                Version?: components["parameters"]["Version"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It stands. */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11",
                     *       "filter": {
                     *         "notificationTypes": [
                     *           "PortStateChangeNotification"
                     *         ],
                     *         "operationStates": [
                     *           "COMPLETED",
                     *           "FAILED_TEMP"
                     *         ],
                     *         "resourceLabels": "tier=gold"
                     *       },
                     *       "callbackUri": "https://nfvo.example.org/notify",
                     *       "verbosity": "SHORT",
                     *       "_links": {
                     *         "self": {
                     *           "href": "https://megrez.example.org/v1/namespaces/nfv/sol/subscriptions/0b6a4d2e-6f0c-4c06-8d35-5d4a6b1f0f11"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["SolSubscription"];
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteSolSubscription: {
        parameters: {
            query?: never;
            header?: {
                /** @description of the interface (SOL013, 9.2); 406 where it is not known */
                Version?: components["parameters"]["Version"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
                /** @description opaque: as Location, or the object itself, had it */
                name: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is gone, with its credentials. */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            406: components["responses"]["NotAcceptable"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["RateLimited"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSolVersions: {
        parameters: {
            query?: never;
            header?: {
                /** @description of the interface (SOL013, 9.2); 406 where it is not known */
                Version?: components["parameters"]["Version"];
            };
            path: {
                namespace: components["parameters"]["namespace"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description These (SOL013, 9.3). */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Version: components["headers"]["Version"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "uriPrefix": "/v1/namespaces/nfv/sol",
                     *       "apiVersions": [
                     *         {
                     *           "version": "1.0.0",
                     *           "isDeprecated": false
                     *         },
                     *         {
                     *           "version": "2.0.0",
                     *           "isDeprecated": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        uriPrefix: string;
                        apiVersions: {
                            version: string;
                            isDeprecated: boolean;
                        }[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            406: components["responses"]["NotAcceptable"];
            429: components["responses"]["RateLimited"];
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
    getDocs: {
        parameters: {
            query?: {
                /** @description words that must all stand in an operation or schema; the page shows no other */
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["Malformed"];
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
    getPage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The page. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description As it was. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signIn: {
        parameters: {
            query?: {
                /** @description used once, within a quarter of an hour */
                code?: string;
                /** @description the path of the page to come back to from the provider */
                return?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description How one signs in. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description To the provider. */
            302: {
                headers: {
                    /** @description HttpOnly, SameSite=Lax, for ten minutes */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Signed in: to the page. */
            303: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict; Secure over TLS */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            /** @description The code has been used, or is too old. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description The provider does not answer. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    signInCallback: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in: a page that goes on to where the sign-in was begun. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description Nobody was signed in, and why. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description No provider is set. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description The provider does not answer. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description whether the cookie of this request is worth anything */
                        signedIn: boolean;
                        /** @description how one signs in: `token`: POST one to /session; `openid`: go to /sign-in */
                        ways: ("token" | "openid")[];
                    };
                };
            };
            400: components["responses"]["Malformed"];
        };
    };
    beginSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    token: string;
                };
            };
        };
        responses: {
            /** @description Signed in. */
            204: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict; Secure over TLS */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            401: components["responses"]["Unauthorized"];
            /** @description Sent by a page of another origin, or no cookie holds the token. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            413: components["responses"]["TooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            422: components["responses"]["Invalid"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed out. */
            204: {
                headers: {
                    /** @description HttpOnly, SameSite=Strict; Secure over TLS */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Malformed"];
            /** @description Sent by a page of another origin. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
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
            /** @description Sent again later; 410 ends it. */
            "4XX": {
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
