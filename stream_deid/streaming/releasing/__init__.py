"""From the inner topics to the outer ones: in closed batches, in keyed order, without a trace."""
