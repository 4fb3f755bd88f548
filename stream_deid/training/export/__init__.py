"""From a trained run to the files that serving builds engines from."""
