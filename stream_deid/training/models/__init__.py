"""Architectures: BERT tagger, BiLSTM-CRF, feature CRF, E2EJ, text skeletons, stacking."""
