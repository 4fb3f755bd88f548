"""Everything that needs torch: corpora, architectures, training, export, evaluation."""
