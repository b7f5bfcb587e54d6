"""Functions that headers define themselves: programs are compiled with them, and the library does not export them."""

from . import ctext

BODIES = {
    "HcclCommConfigInit": """
        const size_t size = sizeof(HcclCommConfig);
        const uint32_t magic = HCCL_COMM_CONFIG_MAGIC_WORD;
        const uint32_t version = HCCL_COMM_CONFIG_VERSION;
        memset(config, 0, sizeof(*config));
        memcpy(config->reserved, &size, sizeof(size));
        memcpy(config->reserved + sizeof(size), &magic, sizeof(magic));
        memcpy(config->reserved + sizeof(size) + sizeof(magic), &version, sizeof(version));
        config->hcclBufferSize = HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET;
        config->hcclDeterministic = HCCL_COMM_DETERMINISTIC_CONFIG_NOT_SET;
        config->hcclOpExpansionMode = HCCL_COMM_DEFAULT_OP_EXPANSION_MODE;
        config->hcclRdmaTrafficClass = HCCL_COMM_TRAFFIC_CLASS_CONFIG_NOT_SET;
        config->hcclRdmaServiceLevel = HCCL_COMM_SERVICE_LEVEL_CONFIG_NOT_SET;
        config->hcclExecTimeOut = HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET;
        config->hcclQos = HCCL_COMM_QOS_CONFIG_NOT_SET;
    """,
}


def definition(function):
    """Returns the function as a header has it."""
    body = [line.strip() for line in BODIES[function.name].strip().splitlines()]
    head = ctext.prototype(function.returns, function.name, function.parameters, "static inline ", " {")
    return [head] + ["    " + line for line in body] + ["}"]
