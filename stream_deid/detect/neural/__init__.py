"""From texts to windows for the models, and from their scores to detections."""
