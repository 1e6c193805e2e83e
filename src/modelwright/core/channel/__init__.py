"""How machines speak with each other: TLS both of whose ends hold the cluster's secret."""
